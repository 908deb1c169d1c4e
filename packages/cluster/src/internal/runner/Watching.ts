/** What a runner does again and again for the whole cluster. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/**
 * Makes a round of something that never ends the runner: what fails is told, and tried again in the next round. The engine tells as a defect
 * that its database does not answer.
 */
export const round =
  (words: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> =>
    Effect.orDie(
      Effect.catchCause(effect, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(Effect.logWarning(words, cause), undefined))
    )
