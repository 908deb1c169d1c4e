/** A kind of books: so many of them, each by its seed. */
import type * as Effect from "effect/Effect"
import type { Failure, Subject } from "./Subject.ts"

export interface Kind {
  readonly name: string
  /** In ascending order. */
  readonly seeds: ReadonlyArray<number>
  readonly subject: (seed: number) => Effect.Effect<Subject, Failure>
}

/** From 1 to `count`. */
export const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)
