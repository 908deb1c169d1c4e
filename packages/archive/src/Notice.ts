/**
 * A notice is a message to a program outside: an item of the books needs a person, or the exchange is not read as it should be.
 *
 * Amounts and worths are exact decimal text, times Unix milliseconds. A receiver ignores fields and kinds that it does not know: later
 * versions of Tallystick add some without another `version`.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Schema from "effect/Schema"

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
 * the entries that were told of it waits any more, and they are told as they stand now, under the id that the item had.
 */
export const OfItem = Schema.Struct({
  ...common,
  kind: Schema.Literals(["item-opened", "item-reopened", "item-settled"]),
  head,
  item: Schema.Struct({
    /** As `tallystick item` takes it. */
    id: Schema.String,
    /** Of an item that is settled: the code under which its earliest entry is, as with its outcome. */
    code: Schema.String,
    /** The id of the outcome. */
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

export const Notice = Schema.Union([OfItem, Summary, OfCondition])
export type Notice = typeof Notice.Type
