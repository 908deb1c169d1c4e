/**
 * The report: the findings of a run, with all that is needed to judge them.
 *
 * Every number in it can be recomputed from the outcomes. Amounts are exact decimal text, times Unix ms.
 *
 * A number of entries, or their sum, counts those that lie in the range; a number of outcomes counts those that belong to it. What
 * belongs to other days counts apart. So the reports of days that follow each other add up to the report of all of them, if they are
 * made from the same reading, and no chain of competing equal entries reaches farther around a day than the policy looks (24 h by
 * default): the report of a day reads no farther.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Buckets from "./internal/report/Buckets.ts"
import * as Collector from "./internal/report/Collector.ts"
import * as Digest from "./internal/report/Digest.ts"
import type { Report } from "./internal/report/Form.ts"
import * as Scope from "./internal/report/Scope.ts"
import type { Sums } from "./internal/report/Sums.ts"
import * as Unread from "./internal/report/Unread.ts"
import type * as Outcome from "./Outcome.ts"
import * as Policy from "./Policy.ts"

// The names stand for the classes themselves, so that a declaration of another package can name them from here.
export {
  /** Says whether an entry belongs to a range (null: everything): its time lies in it. */
  isInRange,
  /**
   * Says whether an outcome belongs to a range (null: everything): its first deposit does or, where it has none, its first
   * transfer. A record that could not be read belongs to each range beside which it was read.
   */
  isOfRange
} from "./internal/InRange.ts"
export {
  /** What a report of an archive says of the books that the run brought forward: of all days, and not of its range alone. */
  Books,
  /** So many entries, and their sum, exact. */
  Line as RollForwardLine,
  /** Ties the books before an execution to those after it, of one side, asset and state. */
  RollForward,
  /** What a roll-forward is worth at the prices of its execution and of the one before. */
  Worth as RollForwardWorth
} from "./internal/report/BooksForm.ts"
export { Report, ReportOutcome, Summary, written, writtenIn } from "./internal/report/Form.ts"
export {
  /** What identifies a report. Every part is absent where nobody knows it. */
  Identity
} from "./internal/report/IdentityForm.ts"
export { Lags } from "./internal/report/Lags.ts"
export { Age, Count, outcomesListed, withoutAccepted } from "./internal/report/Statistics.ts"
export {
  /**
   * What a part of a run adds up to, in a form that can be added exactly and goes through JSON. It names accounts and ids of entries,
   * unmasked.
   */
  Sums
} from "./internal/report/Sums.ts"
export { Total } from "./internal/report/Totals.ts"

/** What became of a part of a run: `Reconciliation.merge` makes the report of all parts. */
export interface Part {
  readonly sums: Sums
  /** The outcomes of its entries, ordered by (earliest time, id). Bad records are in no part. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
}

interface Options extends Collector.About, Collector.Read {
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
}

/** Makes the report of a run. */
export const make = (options: Options): Report => {
  const { outcomes } = options
  const all = Collector.make(options)
  for (const outcome of outcomes) all.add(outcome)
  return { ...Collector.summary([all.sums()], options), outcomes }
}

const encodePolicy = Schema.encodeSync(Schema.fromJsonString(Policy.Resolved))

/** Returns 16 hex digits that tell two policies apart. They protect against nobody. */
export const policyDigest = (policy: Policy.Resolved): string => Digest.ofTexts([encodePolicy(policy)])

/** The line of the control totals in which entries count. */
export type Bucket = Buckets.Bucket

/**
 * The line in which the entries of a kind of outcome count. Entries that a pair settles count as matched, and entries that
 * moved nothing as set aside, whatever the kind.
 */
export const buckets = Buckets.buckets

/** The same line of one outcome: a break that a person accepted counts as set aside. */
export const bucketOf = Buckets.bucketOf

/**
 * The lines in which the entries of an outcome count, side by side: each share is a part of the list of entries. The pairs
 * of a class count as matched, whichever they are, because its amounts are equal.
 */
export const sharesOf = Buckets.sharesOf

/**
 * Says in sentences what `missing` and `forced` can mean in a report of this policy, these accounts and this coverage, and
 * from when its lags count.
 */
export const meaning = Scope.meaning

/** Returns the operations of which no part of the range is proven complete: then the run has not done its work. */
export const operationsUnread = (
  { coverage, range }: Pick<Report, "coverage" | "range">
): ReadonlyArray<Coverage.Coverage["operation"]> => Unread.operationsUnread(coverage, range ?? undefined)
