/** What adds up outcomes one by one, and what others added up of other outcomes. */
import type * as Outcome from "../../Outcome.ts"

/** Adds up outcomes. The sums are the same whatever the order of the outcomes, and however they are split among several of these. */
export interface Additive<Sums> {
  readonly add: (outcome: Outcome.Outcome) => void
  /** Adds the sums of other outcomes, exactly. */
  readonly merge: (sums: Sums) => void
  /** Returns the sums so far, in the one form that these outcomes have. */
  readonly sums: () => Sums
}
