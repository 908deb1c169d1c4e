/**
 * A notice is a message to a program outside: an item of the books or a close needs a person, or the exchange is not read as it should be.
 *
 * Amounts and worths are exact decimal text, times Unix milliseconds. A receiver ignores fields and kinds that it does not know: later
 * versions of Tallystick add some without another `version`.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Schema from "effect/Schema"
import * as BookState from "./BookState.ts"

/** The form of a notice; a change that a receiver could trip over gets another number. */
export const VERSION = 1

const common = {
  version: Schema.Literal(VERSION),
  /**
   * SHA-256 of the destination and of what is told, 64 hexadecimal digits. A notice may arrive twice, and then has the same key: whoever
   * receives it drops the second one by this.
   */
  key: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
  /** When it was made, Unix ms. */
  at: Schema.Int,
  /** All of it in a sentence or two, without a stranger's markup. */
  text: Schema.String
}

/** The row of the ledger that the execution made: its number is that of the execution, and with its id it is a head to keep. */
const head = Schema.Struct({ number: Schema.Int, id: Schema.String })

/** An entry of an item. */
export const NoticedEntry = Schema.Struct({
  side: Entry.Side,
  id: Schema.String,
  asset: Schema.String,
  amount: Amount.Amount,
  /** When it was seen, Unix ms. */
  at: Schema.Int,
  /** Its amount at the price of its asset, where a price was known. */
  worth: Schema.optionalKey(Schema.String),
  /** The sub-account, only where details were asked for and it is known. */
  account: Schema.optionalKey(Schema.String)
})
export type NoticedEntry = typeof NoticedEntry.Type

/**
 * An item is open that was not, or one of whose entries had been settled and is open again; or an item that was told so is settled: none of
 * the entries that were told of it waits any more, and they are told as they stand now, under the id that the item had. Where no record
 * tells of one of these entries any more, nothing settled it, and the item is told to be gone instead.
 */
export const OfItem = Schema.Struct({
  ...common,
  kind: Schema.Literals(["item-opened", "item-reopened", "item-settled", "item-gone"]),
  head,
  item: Schema.Struct({
    /** As `tallystick item` takes it. */
    id: Schema.String,
    /** Of an item that is settled: the code under which its earliest entry is, as with its outcome. Of one that is gone: `gone`. */
    code: Schema.String,
    /** The id of the outcome; empty where the item is gone. */
    outcome: Schema.String,
    /** The time of its earliest entry, Unix ms. */
    at: Schema.Int,
    /** Its entries, the earliest first; 20 at most. */
    entries: Schema.Array(NoticedEntry),
    /** So many entries are not named. */
    more: Schema.Int
  })
})
export type OfItem = typeof OfItem.Type

/**
 * Many items in one notice: all that were open when a destination was told for the first time (`open-items`), or more new ones than
 * are told one by one (`many-items`).
 */
export const Summary = Schema.Struct({
  ...common,
  kind: Schema.Literals(["open-items", "many-items"]),
  head,
  /** The number of items. */
  items: Schema.Int,
  /** The number of items of each code. */
  codes: Schema.Array(Schema.Struct({ code: Schema.String, items: Schema.Int })),
  /** Their open entries, by side and asset. */
  totals: Schema.Array(Schema.Struct({
    side: Entry.Side,
    asset: Schema.String,
    entries: Schema.Int,
    sum: Schema.String,
    worth: Schema.optionalKey(Schema.String)
  }))
})
export type Summary = typeof Summary.Type

/** The exchange soon forgets deposits that nobody read, refuses the key, or was not read for an hour. */
export const Condition = Schema.Literals(["deadline", "key-refused", "nothing-read"])
export type Condition = typeof Condition.Type

/** A condition began, or is over. */
export const OfCondition = Schema.Struct({
  ...common,
  kind: Condition,
  state: Schema.Literals(["began", "over"]),
  /** When it was found to have begun, Unix ms; both notices of it have the same. */
  since: Schema.Int,
  /** `deadline`: the exchange forgets the first deposit that was not read then, Unix ms. */
  deadline: Schema.optionalKey(Schema.Int),
  /** `nothing-read`: the last reading, Unix ms by the exchange's clock; null where there was none. */
  lastReading: Schema.optionalKey(Schema.NullOr(Schema.Int))
})
export type OfCondition = typeof OfCondition.Type

const Stood = Schema.Struct({
  state: BookState.BookState,
  /** The code of its outcome. */
  code: Schema.String,
  amount: Amount.Amount
})

/** A close does not stand any more (`began`), or stands again or was taken back (`over`). */
export const OfClose = Schema.Struct({
  ...common,
  kind: Schema.Literal("close-broken"),
  state: Schema.Literals(["began", "over"]),
  head,
  close: Schema.Struct({
    /** As `tallystick periods` takes it. */
    number: Schema.Int,
    /** The last day of its period, `YYYY-MM-DD` in the zone of the archive's days. */
    through: Schema.String,
    zone: Schema.String,
    /** The period is `[from, to)`, Unix ms. */
    from: Schema.Int,
    to: Schema.Int
  }),
  /** `over`: the row of the ledger that took the close back; absent where it stands again. */
  reopened: Schema.optionalKey(Schema.Int),
  /** So many entries do not stand as they did. */
  broken: Schema.Int,
  /** Whether the tables of the books were altered. */
  isAltered: Schema.Boolean,
  /** What changed for how many of these entries; for one entry several things may have. 20 at most, those of most entries first. */
  causes: Schema.Array(Schema.Struct({
    /** As `tallystick periods` says it. */
    of: Schema.Literals(["records", "surroundings", "decision", "policy", "accounts"]),
    /** The row of the ledger: that of the decision, or of the execution that followed another policy or knew other lists. */
    number: Schema.optionalKey(Schema.Int),
    entries: Schema.Int
  })),
  /** The entries, the earliest first, as they were at the close and as they are now; 20 at most. */
  entries: Schema.Array(Schema.Struct({
    ...NoticedEntry.fields,
    before: Schema.optionalKey(Stood),
    after: Schema.optionalKey(Stood)
  })),
  /** So many entries are not named. */
  more: Schema.Int
})
export type OfClose = typeof OfClose.Type

export const Notice = Schema.Union([OfItem, Summary, OfCondition, OfClose])
export type Notice = typeof Notice.Type
