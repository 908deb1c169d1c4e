/** What a report of an archive says of the books that the run brought forward: of all days, and not of its range alone. */
import * as Schema from "effect/Schema"
import * as Entry from "../../Entry.ts"
import * as Outcome from "../../Outcome.ts"

/** So many entries, and their sum, exact. */
export const Line = Schema.Struct({ count: Schema.Int, sum: Schema.String }).annotate({ identifier: "RollForwardLine" })
export type Line = typeof Line.Type

const Waiting = Schema.Literals(["open", "pending", "undetermined"])

export const RollForward = Schema.Struct({
  side: Entry.Side,
  /** As the records write it. */
  asset: Schema.String.annotateKey({ description: "As the records write it." }),
  state: Waiting,
  broughtForward: Line,
  /** Entries that the books had not known to wait. */
  new: Line.annotateKey({ description: "Entries that the books had not known to wait." }),
  /** Entries that were settled, and wait again. */
  reopened: Line.annotateKey({ description: "Entries that were settled, and wait again." }),
  /**
   * What the records tell otherwise now of entries that waited before and wait now: the difference of an amount, below zero where it is
   * less, and of another asset the whole entry, which leaves the one and enters the other.
   */
  restated: Line.annotateKey({
    description:
      "What the records tell otherwise now of entries that waited before and wait now: the difference of an amount, below zero " +
      "where it is less, and of another asset the whole entry, which leaves the one and enters the other."
  }),
  /** Entries that waited in another state before, minus those that wait in another one now. */
  moved: Line.annotateKey({
    description: "Entries that waited in another state before, minus those that wait in another one now."
  }),
  matched: Line,
  /** Entries that a person linked, or whose break a person accepted. */
  decided: Line.annotateKey({ description: "Entries that a person linked, or whose break a person accepted." }),
  /** Entries that do not count any more: they are excluded, moved nothing, are of no flow, or are gone. */
  setOut: Line.annotateKey({
    description: "Entries that do not count any more: they are excluded, moved nothing, are of no flow, or are gone."
  }),
  carriedForward: Line
}).annotate({ identifier: "RollForward" })
export type RollForward = typeof RollForward.Type

/** Exact decimal texts, in the currency of the prices. */
const worthLines = {
  /** At the prices of the execution before. */
  broughtForward: Schema.String.annotateKey({ description: "At the prices of the execution before." }),
  /** What was brought forward, times the difference of both prices: below zero where the price fell. */
  revaluation: Schema.String.annotateKey({
    description: "What was brought forward, times the difference of both prices: below zero where the price fell."
  }),
  new: Schema.String,
  reopened: Schema.String,
  restated: Schema.String,
  moved: Schema.String,
  matched: Schema.String,
  decided: Schema.String,
  setOut: Schema.String,
  carriedForward: Schema.String
}

const WorthLine = Schema.Struct({
  side: Entry.Side,
  /** As the records write it. */
  asset: Schema.String.annotateKey({ description: "As the records write it." }),
  state: Waiting,
  /** The price of one unit with which the execution was made. */
  price: Schema.String.annotateKey({ description: "The price of one unit with which the execution was made." }),
  /** The price of one unit with which the execution before was made; absent where nothing of the asset was brought forward. */
  priceBefore: Schema.optionalKey(Schema.String).annotateKey({
    description:
      "The price of one unit with which the execution before was made; absent where nothing of the asset was brought forward."
  }),
  ...worthLines
}).annotate({ identifier: "RollForwardWorthLine" })

const WorthTotal = Schema.Struct({ side: Entry.Side, state: Waiting, ...worthLines })
  .annotate({ identifier: "RollForwardWorthTotal" })

export const Worth = Schema.Struct({
  /** The currency of the prices, where somebody said which it is. */
  currency: Schema.optionalKey(Schema.String).annotateKey({
    description: "The currency of the prices, where somebody said which it is."
  }),
  /**
   * What the lines of the roll-forward are worth, in their order, of each asset that has the prices that are needed: `broughtForward +
   * revaluation + new + reopened + restated + moved - matched - decided - setOut = carriedForward`.
   */
  lines: Schema.Array(WorthLine).annotateKey({
    description:
      "What the lines of the roll-forward are worth, in their order, of each asset that has the prices that are needed: " +
      "`broughtForward + revaluation + new + reopened + restated + moved - matched - decided - setOut = carriedForward`."
  }),
  /** The sums of these lines by side and state. They lack the assets of `lacking`. */
  totals: Schema.Array(WorthTotal).annotateKey({
    description: "The sums of these lines by side and state. They lack the assets of `lacking`."
  }),
  /**
   * Assets of the roll-forward of which no worth is stated: the execution has no price of them, or something of them was brought forward
   * and the execution before has none, or one in another currency.
   */
  lacking: Schema.Array(Schema.String).annotateKey({
    description:
      "Assets of the roll-forward of which no worth is stated: the execution has no price of them, or something of them was " +
      "brought forward and the execution before has none, or one in another currency."
  })
}).annotate({ identifier: "RollForwardWorth" })
export type Worth = typeof Worth.Type

/** An entry of an item. */
const Member = Schema.Struct({
  side: Entry.Side,
  id: Schema.String,
  asset: Schema.String,
  amount: Schema.String,
  account: Schema.optionalKey(Schema.String)
})

const Item = Schema.Struct({
  id: Schema.String,
  state: Waiting,
  /** The code of the outcome that has its entries. */
  code: Schema.String.annotateKey({ description: "The code of the outcome that has its entries." }),
  /** The time of its earliest entry, Unix ms: its age counts from here. */
  at: Schema.Int.annotateKey({ description: "The time of its earliest entry, Unix ms: its age counts from here." }),
  /** The number of the first execution in which one of its entries waited. */
  since: Schema.Int.annotateKey({
    description: "The number of the first execution in which one of its entries waited."
  }),
  /** So many entries. */
  count: Schema.Int.annotateKey({ description: "So many entries." }),
  /** The first of its entries, by time: three at most. */
  entries: Schema.Array(Member).annotateKey({ description: "The first of its entries, by time: three at most." })
}).annotate({ identifier: "CarriedItem" })

export const Books = Schema.Struct({
  /** The execution that brought the books forward: its number in the ledger, and its id, with which the ledger ends. */
  execution: Schema.Struct({ number: Schema.Int, id: Schema.String }).annotateKey({
    description:
      "The execution that brought the books forward: its number in the ledger, and its id, with which the ledger ends."
  }),
  /**
   * Ties the books before the execution to those after it, per side, asset and state: `broughtForward + new + reopened + restated + moved -
   * matched - decided - setOut = carriedForward`, for the numbers of entries and for their sums.
   */
  rollForward: Schema.Array(RollForward).annotateKey({
    description:
      "Ties the books before the execution to those after it, per side, asset and state: `broughtForward + new + reopened + " +
      "restated + moved - matched - decided - setOut = carriedForward`, for the numbers of entries and for their sums."
  }),
  /** What the roll-forward is worth, where the execution was made with prices. */
  worth: Schema.optionalKey(Worth).annotateKey({
    description: "What the roll-forward is worth, where the execution was made with prices."
  }),
  /** So many entries wait that did not wait before. */
  new: Schema.Int.annotateKey({ description: "So many entries wait that did not wait before." }),
  /** So many entries waited before and are settled now, by what settled them; `gone` where no record tells of them. */
  closed: Schema.Array(
    Schema.Struct({
      state: Schema.Literals(["matched", "decided", "out"]),
      code: Schema.Literals([...Outcome.Code.literals, "gone"]),
      count: Schema.Int
    })
  ).annotateKey({
    description:
      "So many entries waited before and are settled now, by what settled them; `gone` where no record tells of them."
  }),
  /** What waited before and waits on: its entries, the items that they make, and of these the first by time, 20 at most. */
  carried: Schema.Struct({ entries: Schema.Int, items: Schema.Int, oldest: Schema.Array(Item) }).annotateKey({
    description:
      "What waited before and waits on: its entries, the items that they make, and of these the first by time, 20 at most."
  })
}).annotate({ identifier: "Books" })
export type Books = typeof Books.Type
