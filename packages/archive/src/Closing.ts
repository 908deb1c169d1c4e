/**
 * A close says that the books of a period are done, and what they came to. It stands in the ledger behind every execution and
 * every decision that it knew. A reopening takes the last close back; nothing is removed.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Coverage from "@tallystick/core/Coverage"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Schema from "effect/Schema"
import * as BookState from "./BookState.ts"
import * as Decision from "./Decision.ts"
import * as Judgement from "./internal/books/Judgement.ts"

const common = {
  /** The number of its row in the ledger. */
  number: Schema.Int.check(Schema.isGreaterThan(0)),
  /** The id of the row before it in the ledger, the head of all that it knew. */
  previous: Schema.String,
  /** When it was made, Unix ms, as the clock of the author's machine claimed. */
  at: Schema.Int,
  ...Decision.Author.fields
}

/**
 * So many entries of the books, and the SHA-256 of what they are. For each entry there is a line: a JSON array of its side, id, asset,
 * amount, time (Unix ms), account (null where none is known) and state, without spaces, texts as the table `entry_history` keeps them.
 * The lines are sorted by their bytes, and each ends with a line feed.
 */
export const Digest = Schema.Struct({
  count: Schema.Int,
  digest: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
})
export type Digest = typeof Digest.Type

/** So many entries of one side and asset stand so, and their sum, exact. */
export const Total = Schema.Struct({
  side: Entry.Side,
  asset: Schema.String,
  state: BookState.BookState,
  count: Schema.Int,
  sum: Schema.String
})
export type Total = typeof Total.Type

/** The time of an operation that nobody read from the exchange: a person vouched that the records of it were imported. */
export const Vouched = Schema.Struct({
  operation: Coverage.Coverage.fields.operation,
  from: Schema.Int,
  to: Schema.Int
})
export type Vouched = typeof Vouched.Type

/** So many records could not be read: they are items without entries, of which the ids are kept, 100 at most. */
export const BadRecords = Schema.Struct({ count: Schema.Int, items: Schema.Array(Schema.String) })
export type BadRecords = typeof BadRecords.Type

/** A run of the books met so many records that could not be read: an earlier version counted each as often as runs met it. */
export const Unreadable = Schema.Struct({ run: Schema.String, records: Schema.Int })
export type Unreadable = typeof Unreadable.Type

/** What the ledger keeps of a close, word by word. */
export const Close = Schema.Struct({
  ...common,
  kind: Schema.Literal("close"),
  /** The zone of the archive's days: `Europe/Berlin`, `UTC`, `+01:00`. */
  zone: Schema.String,
  /** The last day of the period in that zone, `YYYY-MM-DD`. */
  through: Schema.String,
  /** The period is `[from, to)`, Unix ms. */
  from: Schema.Int,
  to: Schema.Int,
  /**
   * Where the entries of the period stood that ever waited, as of the row before this one. An entry that was settled from its first
   * execution on has no state in the books, and is not among them.
   */
  states: Digest,
  /** The same by side, asset and state. */
  totals: Schema.Array(Total),
  /** What waited before the end of the period, also in earlier periods: it is carried forward openly. */
  carried: Digest,
  /** So many entries of the period were settled by outcomes that were not final: later records could still change them. */
  provisional: Schema.Int,
  /** The records that could not be read as the runs over the period met them last, and are carried as such; an earlier version kept `unreadable`. */
  badRecords: Schema.optionalKey(BadRecords),
  /** What an earlier version kept of them, run by run. */
  unreadable: Schema.optionalKey(Schema.Array(Unreadable)),
  /**
   * So many decisions on entries before the end of the period waited for another person: nothing followed them. Closes of an earlier
   * version do not tell.
   */
  proposed: Schema.optionalKey(Schema.Int),
  /** Where a person vouched for the period, or for the time behind it that the policy looks at. */
  vouched: Schema.Array(Vouched)
})
export type Close = typeof Close.Type

const stood = {
  side: Entry.Side,
  id: Schema.String,
  asset: Schema.String,
  amount: Amount.Amount,
  /** Its own time, Unix ms. */
  at: Schema.Int,
  account: Schema.optionalKey(Schema.String),
  state: BookState.BookState,
  code: Schema.Literals([...Outcome.Code.literals, Judgement.GONE]),
  /** The id of its outcome; empty where there is none. */
  outcome: Schema.String
}

/** So many breaks are kept of a period that is reopened. */
export const KEPT = 100

/** What did not stand as the close says when it was taken back: `Period.Period` says what each word means. */
export const Otherwise = Schema.Struct({
  /** So many entries broke it. */
  broken: Schema.Int,
  /** The first of these by time, 100 at most. */
  breaks: Schema.Array(Schema.Struct({
    before: Schema.optionalKey(Schema.Struct(stood)),
    after: Schema.optionalKey(Schema.Struct({ ...stood, execution: Schema.Int })),
    causes: Schema.Array(Schema.Union([
      Schema.Struct({ of: Schema.Literals(["records", "surroundings"]) }),
      Schema.Struct({ of: Schema.Literal("decision"), number: Schema.Int }),
      Schema.Struct({ of: Schema.Literals(["policy", "accounts"]), execution: Schema.Int })
    ]))
  })),
  /** So many carried entries were settled, and so many waited in another state. */
  settled: Schema.Int,
  waitsOtherwise: Schema.Int,
  isAltered: Schema.Boolean
})
export type Otherwise = typeof Otherwise.Type

/** What the ledger keeps of a reopening, word by word. */
export const Reopen = Schema.Struct({
  ...common,
  kind: Schema.Literal("reopen"),
  /** The number of the close that it takes back. */
  close: Schema.Int.check(Schema.isGreaterThan(0)),
  reason: Decision.Reason,
  words: Decision.Revoke.fields.words,
  /** What did not stand as the close says by then; absent where that could not be compared. Reopenings of an earlier version do not tell. */
  otherwise: Schema.optionalKey(Otherwise),
  /** Why nobody can tell what did not stand as the close says by then: a run of the books was damaged, and this says how. */
  uncompared: Schema.optionalKey(Schema.String)
})
export type Reopen = typeof Reopen.Type

export const Body = Schema.Union([Close, Reopen])
export type Body = typeof Body.Type

export interface Closing<out B extends Body = Body> {
  /** SHA-256 of its text in the ledger, 64 hexadecimal digits. */
  readonly id: string
  readonly body: B
}
