/** Describes an outcome before its words are made. */
import type * as Outcome from "../../Outcome.ts"
import type * as Because from "./Because.ts"

export interface Told extends Omit<Outcome.Outcome, "because" | "candidates" | "explanation" | "rule"> {
  readonly because: Because.Because
  readonly candidates: ReadonlyArray<Candidate>
}

/** A candidate before its words are made. */
export interface Candidate extends Omit<Outcome.Candidate, "because" | "reason"> {
  readonly because: Because.Note
}
