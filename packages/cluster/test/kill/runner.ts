/**
 * A runner as a process of its own, and it says `up` when it takes jobs, and when a thread begins and ends. The environment tells its database, its address and its version; a
 * file to which it sends notices, a line each (`NOTICES`), and whether it says `booked` and stands still before it sends any (`HOLD`).
 */
import * as Notices from "@tallystick/archive/Notices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { appendFileSync } from "node:fs"
import * as Cluster from "../../src/Cluster.ts"
import { Version } from "../../src/internal/Version.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Desk from "../support/Desk.ts"

const url = Redacted.make(process.env["DATABASE"] ?? "")
const address = { host: "127.0.0.1", port: Number(process.env["PORT"]) }
const archive = { _tag: "Postgres", url } as const
const { HOLD, NOTICES, VERSION = "0.1.0" } = process.env

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

process.on("worker", (thread) => {
  Effect.runSync(say("thread begins"))
  thread.on("exit", () => Effect.runSync(say("thread ends")))
})

const receivers = NOTICES === undefined
  ? []
  : [Desk.receiver((notice) => Effect.sync(() => appendFileSync(NOTICES, `${notice.replaceAll("\n", " ")}\n`)))]

const sent = Notices.Notices.use(({ deliver }) => deliver(receivers)).pipe(Desk.within(archive), Effect.orDie)

const layer = Reconciling.Reconciling.layerRunner({
  archive,
  name: `${address.host}:${address.port}`,
  receivers,
  booked: HOLD === undefined ? Effect.asVoid(sent) : Effect.andThen(say("booked"), Effect.never)
}).pipe(
  Layer.provide(Cluster.runner({ url, address })),
  Layer.provide(Layer.succeed(Version, VERSION))
)

Effect.runFork(
  Layer.build(layer).pipe(
    Effect.andThen(say("up")),
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.tapCause((cause) => Effect.sync(() => process.stderr.write(Cause.pretty(cause))))
  )
)
