/** The form of what the outcomes of a part of a run add up to. */
import * as Schema from "effect/Schema"
import * as EntryTimes from "./EntryTimes.ts"
import * as Lags from "./Lags.ts"
import * as Statistics from "./Statistics.ts"
import * as Totals from "./Totals.ts"

/**
 * What a report counts of outcomes, before anything is made of it that cannot be added, as a percentile or an age. The sums of several
 * parts add up to those of all their outcomes, exactly.
 */
export const Sums = Schema.Struct({
  totals: Schema.Array(Totals.Total),
  counts: Schema.Array(Statistics.Count),
  unattributed: Statistics.Unattributed,
  lags: Lags.Counted,
  breaks: Statistics.Breaks,
  times: EntryTimes.EntryTimes,
  /** Whether no outcome keeps the books from being clean. */
  clear: Schema.Boolean
})
export type Sums = typeof Sums.Type
