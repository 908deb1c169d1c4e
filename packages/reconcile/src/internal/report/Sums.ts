/** The form of what a part of a run adds up to. */
import * as Schema from "effect/Schema"
import * as EntryTimes from "./EntryTimes.ts"
import * as Lags from "./Lags.ts"
import * as SeenForm from "./SeenForm.ts"
import * as Statistics from "./Statistics.ts"
import * as Totals from "./Totals.ts"

/** What a report counts of outcomes, before anything is made of it that cannot be added, as a percentile or an age. */
export const Counted = Schema.Struct({
  totals: Schema.Array(Totals.Total),
  counts: Schema.Array(Statistics.Count),
  unattributed: Statistics.Unattributed,
  lags: Lags.Counted,
  breaks: Statistics.Breaks,
  times: EntryTimes.EntryTimes,
  /** Whether no outcome keeps the books from being clean. */
  clear: Schema.Boolean
})
export type Counted = typeof Counted.Type

/** What a report says of the outcomes and of the entries of a part, in a form that can be added exactly. */
export const Summed = Schema.Struct({ outcomes: Counted, entries: SeenForm.Seen })
export type Summed = typeof Summed.Type

/** The version of this form. */
export const VERSION = 1

/**
 * What a part of a run adds up to. It goes through JSON by this schema. It names accounts and ids of entries, unmasked, and its size
 * grows with the number of different lags, of breaks and of entries in flight, not with that of the entries.
 */
export class Sums extends Schema.Opaque<Sums>()(
  Schema.Struct({
    /** The version of this form. */
    version: Schema.Literal(VERSION),
    /** 16 hex digits that tell apart what two parts were asked, their assets aside; no protection against anybody. */
    question: Schema.String,
    /** The assets of the part, as records write them. */
    assets: Schema.Array(Schema.String),
    /** The times of the part, `[from, to)` in Unix ms. What is left out is no bound. */
    times: Schema.Struct({ from: Schema.optionalKey(Schema.Int), to: Schema.optionalKey(Schema.Int) }),
    ...Summed.fields
  }).annotate({ identifier: "Sums" })
) {}
