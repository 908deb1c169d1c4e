/** Items of a list are counted, and added up by age and asset. */
import * as Schema from "effect/Schema"
import { Difference, ListedItem } from "./ListedItem.ts"

const Count = Schema.Int

const sums = {
  /** So many items. */
  items: Count,
  /** What the sizes of their differences are worth together, as far as they have a price. */
  worth: Schema.String,
  /** How exactly `worth` is known: `mixed` where it adds lower and upper bounds, so that it bounds nothing. */
  worthBound: Schema.Literals(["exact", "at least", "at most", "mixed"]),
  /** So many of them have no worth, because nobody can say the difference or the price. */
  unpriced: Count,
  /**
   * Their differences by asset, that of the most items first; those that are known exactly and those of which only a bound is known are
   * apart. What is missing and what is too much are not netted. An item of which another asset was moved is in the lines of both.
   */
  differences: Schema.Array(Schema.Struct({
    asset: Schema.String,
    /** How exactly each of these differences is known, and so how exactly their sum is. */
    bound: Difference.fields.bound,
    items: Count,
    missing: Schema.String,
    excess: Schema.String,
    /** `missing` plus `excess`. */
    size: Schema.String
  }))
}

/** So many items, and what they come to. */
export const Sums = Schema.Struct(sums)
export type Sums = typeof Sums.Type

/** What a list of items comes to. */
export class ItemSummary extends Schema.Opaque<ItemSummary>()(
  Schema.Struct({
    /** Ages count backwards from here, Unix ms. */
    at: Schema.Int,
    ...sums,
    /** So many items without entries are shown besides: what the books do not know. */
    withoutEntries: Count,
    /** The age of the oldest item counts from here, Unix ms; absent where there is no item. */
    oldest: Schema.optionalKey(Schema.Int),
    /** The items by their ages, the youngest first: those from one age on and before another one, ms; the last has no end. */
    ages: Schema.Array(Schema.Struct({ from: Count, before: Schema.optionalKey(Count), ...sums })),
    /** The items by their states, that of the most items first. */
    states: Schema.Array(Schema.Struct({ state: ListedItem.fields.state, items: Count })),
    codes: Schema.Array(Schema.Struct({ code: ListedItem.fields.code, items: Count })),
    decided: Schema.Array(Schema.Struct({ decided: ListedItem.fields.decided, items: Count })),
    /** The earliest entries of the items are of so many accounts; those of no account count as one. */
    accounts: Count,
    /** Those of them with the most items, 100 at most. */
    largest: Schema.Array(Schema.Struct({ account: Schema.optionalKey(Schema.String), items: Count }))
  }).annotate({ identifier: "ItemSummary" })
) {}
