/**
 * Jobs are rows that a submitter wrote; it talks to no runner. One runner at a time looks for them and gives them to the engine. A job that
 * was given and not yet marked so is given again, which changes nothing.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Engine from "../effect/Engine.ts"
import * as JobTable from "../jobs/JobTable.ts"

/** So often it is looked for jobs. */
const LOOK = "500 millis"

export const layer = Engine.layerSingleton(
  "jobs",
  Effect.gen(function*() {
    const jobs = yield* JobTable.JobTable
    const round = Effect.gen(function*() {
      for (const work of yield* jobs.waiting) {
        yield* Engine.start(work)
        yield* jobs.given(work)
      }
    })
    yield* round.pipe(
      // The engine tells as a defect that its database does not answer.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logWarning("jobs wait until they can be given", cause)
      ),
      Effect.orDie,
      Effect.repeat(Schedule.spaced(LOOK))
    )
  })
)
