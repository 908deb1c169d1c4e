/** A listed item is an open item as a page of a list tells it: what a row of a table shows, without its entries. */
import * as Amount from "@tallystick/core/Amount"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Schema from "effect/Schema"
import * as BookState from "./BookState.ts"

/**
 * What people did about an item: nothing (`none`), a note on one of its entries (`noted`), a decision that waits for another person
 * (`proposed`), or one that holds (`decided`), which the next execution follows. Where several are so, the last of these words counts.
 */
export const Decided = Schema.Literals(["none", "noted", "proposed", "decided"])
export type Decided = typeof Decided.Type

/** What is missing or too much in an item (`@tallystick/reconcile/Difference`). */
export const Difference = Schema.Struct({
  asset: Schema.String,
  /** What arrived and was not moved on; never negative. */
  missing: Schema.String,
  /** What was moved on and did not arrive; never negative. */
  excess: Schema.String,
  /** `missing` minus `excess`: signed. */
  amount: Schema.String,
  /** `missing` plus `excess`, by which items are sorted. */
  size: Schema.String,
  bound: Schema.Literals(["exact", "at least", "at most"]),
  /**
   * What was moved of another asset: it is too much of that if the two are not one. The bound holds for it, too; it is in no other
   * amount.
   */
  other: Schema.optionalKey(Schema.Struct({ asset: Schema.String, excess: Schema.String }))
})
export type Difference = typeof Difference.Type

/** An item in a list. */
export class ListedItem extends Schema.Opaque<ListedItem>()(
  Schema.Struct({
    /** `i` and 16 hexadecimal digits; `OpenItems.find` gives its entries. */
    id: Schema.String,
    state: BookState.Waiting,
    code: Schema.Union([Outcome.Code, Schema.Literal("gone")]),
    /** The id of the outcome, which `Runs.outcome` gives in words. */
    outcome: Schema.String,
    /** The time of its earliest entry, Unix ms: its age counts from here. */
    at: Schema.Int,
    /** The number of the first execution in which one of its entries waited, also where it was settled meanwhile. */
    since: Schema.Int,
    /** The number of the last execution that judged one of them. */
    execution: Schema.Int,
    /** Its entries are so many deposits. */
    deposits: Schema.Int,
    /** Its entries are so many transfers. */
    transfers: Schema.Int,
    /** Its earliest entry. */
    first: Schema.Struct({
      side: Entry.Side,
      id: Schema.String,
      asset: Schema.String,
      /** As its record tells it. */
      amount: Schema.String,
      account: Schema.optionalKey(Schema.String)
    }),
    /** Absent where nobody can say it: its outcome has none, or its run is damaged. */
    difference: Schema.optionalKey(Difference),
    /**
     * What the size of the difference is worth, and what was moved of another asset, exact, at the prices of the last execution that was
     * made with prices; absent where that had no price of either asset. `ItemPages.prices` tells which execution that is, and in which
     * currency.
     */
    worth: Schema.optionalKey(Amount.Amount),
    decided: Decided,
    /** The number of the last decision on one of its entries that nobody took back; absent where there is none. */
    decision: Schema.optionalKey(Schema.Int)
  }).annotate({ identifier: "ListedItem" })
) {}
