/** Marks the breaks that a person accepted, after they were decided. */
import * as Explanation from "../Explanation.ts"
import type * as Outcome from "../Outcome.ts"

/** Tells who accepted an outcome, and why; nothing where nobody did. */
export type Accepting = (outcome: Outcome.Outcome) => Outcome.Accepted | undefined

export const marked = (
  outcomes: ReadonlyArray<Outcome.Outcome>,
  accepting: Accepting | undefined
): ReadonlyArray<Outcome.Outcome> =>
  accepting === undefined ? outcomes : outcomes.map((outcome) => {
    const accepted = accepting(outcome)
    return accepted === undefined || outcome.outcome !== "discrepancy" ? outcome : Explanation.accept(outcome, accepted)
  })
