/** A cluster in one process of its own, over two SQLite files: it submits the question of the desk, says `begun` and at last how it ended. */
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Cluster from "../../src/Cluster.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Desk from "../support/Desk.ts"

const archive: ArchiveConfig.Location = { _tag: "File", file: process.env["ARCHIVE"] ?? "" }
const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const layer = Reconciling.Reconciling.layerRunner({ archive }).pipe(
  Layer.provideMerge(Reconciling.Reconciling.layer),
  Layer.provideMerge(Cluster.single({ file: process.env["JOBS"] ?? "" }))
)

Effect.runFork(
  Effect.gen(function*() {
    const { follow, submit } = yield* Reconciling.Reconciling
    const { id } = yield* submit(Desk.question).pipe(Desk.within(archive))
    yield* follow(id).pipe(
      Stream.tap(({ begun, state }) => say(state === "running" ? "begun" : `${state} ${begun}`)),
      Stream.runDrain
    )
    yield* say("end")
  }).pipe(Effect.provide(layer))
)
