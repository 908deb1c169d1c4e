/**
 * A runner as a process of its own: its database, its address and its version come by the environment, and it says `up` when it takes jobs.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Cluster from "../../src/Cluster.ts"
import { Version } from "../../src/internal/Version.ts"
import * as Reconciling from "../../src/Reconciling.ts"

const url = Redacted.make(process.env["DATABASE"] ?? "")
const address = { host: "127.0.0.1", port: Number(process.env["PORT"]) }

const layer = Reconciling.Reconciling.layerRunner({
  archive: { _tag: "Postgres", url },
  name: `${address.host}:${address.port}`
}).pipe(
  Layer.provide(Cluster.runner({ url, address })),
  Layer.provide(Layer.succeed(Version, process.env["VERSION"] ?? "0.1.0"))
)

Effect.runFork(
  Layer.build(layer).pipe(
    Effect.andThen(Effect.sync(() => process.stdout.write("up\n"))),
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.tapCause((cause) => Effect.sync(() => process.stderr.write(Cause.pretty(cause))))
  )
)
