/**
 * Jobs are rows that a submitter wrote; it talks to no runner. One runner of each version at a time looks for those of its version and gives
 * them to the engine. A job that was given and not yet marked so is given again, which changes nothing.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Engine from "../effect/Engine.ts"
import * as JobTable from "../jobs/JobTable.ts"
import { Version } from "../Version.ts"
import * as Watching from "./Watching.ts"

/** So often it is looked for jobs. */
const LOOK = "500 millis"

export const layer = Engine.layerSingleton(
  "jobs",
  Effect.gen(function*() {
    const jobs = yield* JobTable.JobTable
    const version = yield* Version
    const round = Effect.gen(function*() {
      for (const work of yield* jobs.waiting(version)) {
        yield* Engine.start(work)
        yield* jobs.given(work)
      }
    })
    yield* round.pipe(
      Watching.round("jobs wait until they can be given"),
      Effect.repeat(Schedule.spaced(LOOK))
    )
  })
)
