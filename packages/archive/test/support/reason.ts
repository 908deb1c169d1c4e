import * as Effect from "effect/Effect"
import type * as ArchiveError from "../../src/ArchiveError.ts"

/** Why it failed; that it did not is a defect. */
export const reason = <A, R>(
  effect: Effect.Effect<A, ArchiveError.ArchiveError, R>
): Effect.Effect<ArchiveError.Reason, never, R> =>
  Effect.flip(effect).pipe(Effect.map((error) => error.reason), Effect.orDie)
