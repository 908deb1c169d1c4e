/**
 * Prices of one unit of each asset, as exact decimal text, all in the same currency.
 *
 * Prices decide which outcomes come first in a report, and change nothing else.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"

const expected =
  "a price above zero as decimal text, such as \"65000.12\", at most 64 digits on either side of the point"

/** The price of one unit of an asset: exact decimal text above zero. */
const Price = Amount.Amount.annotate({ expected }).check(
  Schema.makeFilter((text) => !Amount.isZero(text), { expected })
)

/** `{ "BTC": "65000.12" }` */
export const PriceList = Schema.Record(Schema.NonEmptyString, Price)
export type PriceList = typeof PriceList.Type

/** A row with the price of one asset. */
export const PriceRow = Schema.Struct({ asset: Schema.NonEmptyString, price: Price })
export type PriceRow = typeof PriceRow.Type

/** Prices by asset. Each is an amount of `core` above zero. */
export type Prices = ReadonlyMap<string, string>

type Aliases = Policy.Resolved["assets"]["aliases"]

/** Gives every name of an asset its price: the price of one name holds for all names that the policy calls equal. */
export const resolve = (prices: Prices, aliases: Aliases): Prices => {
  const resolved = new Map(prices)
  for (const names of aliases) {
    const priced = names.find((name) => prices.has(name))
    const price = priced === undefined ? undefined : prices.get(priced)
    if (price === undefined) continue
    for (const name of names) if (!prices.has(name)) resolved.set(name, price)
  }
  return resolved
}

/** Finds names of one asset whose prices differ; `undefined` if there are none. */
export const contradiction = (prices: Prices, aliases: Aliases): readonly [string, string] | undefined => {
  for (const names of aliases) {
    const [first, ...others] = names.filter((name) => prices.has(name))
    const price = first === undefined ? undefined : prices.get(first)
    if (first === undefined || price === undefined) continue
    const other = others.find((name) => Amount.compare(prices.get(name) ?? price, price) !== 0)
    if (other !== undefined) return [first, other]
  }
  return undefined
}
