/** What is asked of a database that does not answer is asked again, later and later, for as long as the runner lives. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

export const LASTING = Schedule.min([Schedule.exponential("200 millis", 1.5), Schedule.spaced("10 seconds")])

export const lasting = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logWarning("a runner waits for its database", error)),
    Effect.retry(LASTING),
    Effect.orDie
  )
