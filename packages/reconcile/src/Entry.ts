/**
 * An entry: one movement of money as one side of the books tells it, whatever system wrote it.
 *
 * Amounts are decimal text, exact to 64 digits on either side of the point; times are Unix milliseconds.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import * as EntryStatus from "./EntryStatus.ts"
import { Past } from "./Past.ts"

/** The two sides: what arrived, and what was moved on. */
export const Side = Schema.Literals(["deposit", "transfer"])
export type Side = typeof Side.Type

/** What the source says about the movement, reduced to what matters: only `settled` entries take part in matching. */
export const Status = EntryStatus.EntryStatus
export type Status = EntryStatus.EntryStatus

/** One movement. `id` is unique within its side. */
export const Entry = Schema.Struct({
  side: Side,
  id: Schema.NonEmptyString,
  asset: Schema.NonEmptyString,
  /** As the source wrote it; always positive. */
  amount: Amount.Amount,
  /** When it was seen (deposits: insertion, not crediting), Unix ms between 2010-01-01 and a day from now. */
  at: Schema.Int,
  status: Status,
  /** The sub-account concerned: the receiver of a deposit, the end of a transfer that is not the master account. */
  account: Schema.optionalKey(Schema.String),
  /** A key that the two sides may share. Empty is the same as absent. */
  reference: Schema.optionalKey(Schema.String),
  /** Deposits: the chain. */
  network: Schema.optionalKey(Schema.String),
  /** Deposits: where it arrived, without the memo. */
  address: Schema.optionalKey(Schema.String),
  /** Deposits: the memo or tag. */
  memo: Schema.optionalKey(Schema.String),
  /** Transfers: the source account as the service names it. Direction is known when `from` and `to` both are. */
  from: Schema.optionalKey(Schema.String),
  /** Transfers: the destination account. */
  to: Schema.optionalKey(Schema.String),
  fromType: Schema.optionalKey(Schema.String),
  toType: Schema.optionalKey(Schema.String),
  /** What the source said of it before, from an archive; absent where there is nothing to say. */
  past: Schema.optionalKey(Past),
  /** The source's own record, for reports; the engine does not look at it. */
  record: Schema.optionalKey(Schema.Unknown)
})
export type Entry = typeof Entry.Type

/** The order of every list of entries: time, then id. */
export const compare = (a: Entry, b: Entry): number => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
