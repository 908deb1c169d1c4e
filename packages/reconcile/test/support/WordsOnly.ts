/** The same short ways to run the matcher, for tests about words: the facts that these are made of are left out of candidates. */
import * as Struct from "effect/Struct"
import type * as Matching from "../../src/Matching.ts"
import * as Run from "./Run.ts"

export * from "./Run.ts"

export const match = (input: Run.Input): Matching.Output => {
  const { outcomes, warnings } = Run.match(input)
  return {
    warnings,
    outcomes: outcomes.map((outcome) =>
      Object.assign({}, outcome, { candidates: outcome.candidates.map(Struct.omit(["because"])) })
    )
  }
}
