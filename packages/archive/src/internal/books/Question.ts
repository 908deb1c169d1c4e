/** In what a run is asked otherwise than the last execution of the books was, to the letter. */
import type * as Report from "@tallystick/reconcile/Report"
import type * as Execution from "../../Execution.ts"
import * as Executing from "./Executing.ts"

/** What a run is asked, but for its range. */
export type Question = Pick<Report.Summary, "accounts" | "addresses" | "policy">

export interface Differing {
  /** The number of the last execution. */
  readonly execution: number
  readonly of: ReadonlyArray<keyof Question>
}

/** A text for what a run is told of accounts. */
export const listed = ({ complete, digest, master }: Question["accounts"] | Execution.Body["accounts"]): string =>
  [complete, digest, ...master].join("\n")

export const differing = (asked: Question, last: Execution.Body): Differing => ({
  execution: last.number,
  of: [
    ...(Executing.policyOf(asked.policy) === last.policy ? [] : ["policy" as const]),
    ...(listed(asked.accounts) === listed(last.accounts) ? [] : ["accounts" as const]),
    ...(asked.addresses.digest === last.addresses.digest ? [] : ["addresses" as const])
  ]
})
