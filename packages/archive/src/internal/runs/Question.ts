/** A run answers a question; a later run may answer it anew. */
import type * as Report from "@tallystick/reconcile/Report"
import * as Identity from "./Identity.ts"

/** This is what a run was asked, but for its range. */
export interface Question {
  readonly policy: string
  readonly accounts: Report.Summary["accounts"]
  readonly addresses: number
}

export const of = (summary: Report.Summary): Question => ({
  policy: Identity.policy(summary),
  accounts: summary.accounts,
  addresses: summary.addresses.count
})

/** Tells whether a run was about all accounts of another, as far as the lists tell: two that lack some may lack different ones. */
const areAll = (later: Question["accounts"], earlier: Question["accounts"]): boolean =>
  JSON.stringify(later.master) === JSON.stringify(earlier.master) &&
  (!earlier.complete || later.complete) &&
  (later.digest === earlier.digest || (earlier.complete && later.count >= earlier.count))

/**
 * Tells whether a later run of the same range stands in the place of an earlier one: it followed the same policy, was about all
 * of its accounts, and knew no fewer addresses. A run that tried another policy, or lacked the address book, replaces none.
 */
export const replaces = (later: Question, earlier: Question): boolean =>
  later.policy === earlier.policy && areAll(later.accounts, earlier.accounts) && later.addresses >= earlier.addresses
