/** Describes an outcome before its words are made. */
import type * as Outcome from "../../Outcome.ts"
import type * as Because from "./Because.ts"

/** An outcome before its words are made. A rule that it has is not looked at: the rule is words, and made anew. */
export interface Unexplained extends Omit<Outcome.Outcome, "because" | "candidates" | "explanation"> {
  readonly because: Because.Because
  readonly candidates: ReadonlyArray<Candidate>
}

/** A candidate before its words are made. */
export interface Candidate extends Omit<Outcome.Candidate, "because" | "reason"> {
  readonly because: Because.Note
}
