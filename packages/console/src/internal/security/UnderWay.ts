/** Counts what is under way for each of many keys, so that no more than so many are at once. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface UnderWay {
  /** Takes one of `most` places of a key until the scope closes; fails with the refusal where all of them are taken. */
  readonly within: <E>(key: string, most: number, refusal: () => E) => Effect.Effect<void, E, Scope.Scope>
}

export const make = (): UnderWay => {
  const taken = new Map<string, number>()

  const change = (key: string, by: number): void => {
    const now = (taken.get(key) ?? 0) + by
    if (now === 0) taken.delete(key)
    else taken.set(key, now)
  }

  return {
    within: (key, most, refusal) =>
      Effect.acquireRelease(
        Effect.suspend(() => (taken.get(key) ?? 0) < most ? Effect.sync(() => change(key, 1)) : Effect.fail(refusal())),
        () => Effect.sync(() => change(key, -1))
      )
  }
}
