/** A run answers a question; a later run may answer it anew. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import type * as Report from "@tallystick/reconcile/Report"
import * as Identity from "./Identity.ts"

/** This is what a run was asked, but for its range, and how much of that it could read. */
export interface Question {
  readonly policy: string
  readonly accounts: Report.Summary["accounts"]
  readonly addresses: Report.Summary["addresses"]
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

export const of = (summary: Report.Summary): Question => ({
  policy: Identity.policy(summary),
  accounts: summary.accounts,
  addresses: summary.addresses,
  coverage: summary.coverage
})

/** Tells whether a run was about all accounts of another, as far as the lists tell: two that lack some may lack different ones. */
const areAll = (later: Question["accounts"], earlier: Question["accounts"]): boolean =>
  JSON.stringify(later.master) === JSON.stringify(earlier.master) &&
  (!earlier.complete || later.complete) &&
  (later.digest === earlier.digest || (earlier.complete && later.count >= earlier.count))

/** Tells whether a book is the same as an earlier one, or has grown; another one of the same length holds others. */
const isKnown = (later: Question["addresses"], earlier: Question["addresses"]): boolean =>
  later.digest === earlier.digest || later.count > earlier.count

const isComplete = ({ state }: Coverage.Coverage): boolean => state === "complete"

const keyOf = ({ operation, query }: Pick<Coverage.Coverage, "operation" | "query">): string =>
  `${operation} ${Coverage.keyOf(query)}`

/** Tells whether all time that is complete in one coverage is so in another: for its own query, or for all of them. */
const isRead = (later: Question["coverage"], earlier: Question["coverage"]): boolean => {
  const complete = Map.groupBy(later.filter(isComplete), keyOf)
  const about = ({ operation, query }: Coverage.Coverage): ReadonlyArray<Coverage.Coverage> =>
    [undefined, query].flatMap((query) =>
      complete.get(keyOf(query === undefined ? { operation } : { operation, query })) ?? []
    )
  return earlier.filter(isComplete).every((part) => Timeline.covers(about(part), part))
}

/**
 * Tells whether a later run of the same range stands in the place of an earlier one: it followed the same policy, was about all
 * of its accounts, knew no fewer addresses, and read all that the earlier one had read. A run that tried another policy, lacked
 * the address book, or came after records were lost replaces none.
 */
export const replaces = (later: Question, earlier: Question): boolean =>
  later.policy === earlier.policy && areAll(later.accounts, earlier.accounts) &&
  isKnown(later.addresses, earlier.addresses) && isRead(later.coverage, earlier.coverage)
