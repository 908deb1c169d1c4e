/**
 * Prices: what one unit of an asset is worth, as exact decimal text, all in the same currency.
 *
 * They say what is to be looked at first, and change nothing else. Nothing here needs a runtime: pages use it too.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "@tallystick/reconcile/Policy"

/** By asset. Each price is an amount of `core` above zero. */
export type Prices = ReadonlyMap<string, string>

type Aliases = Policy.Resolved["assets"]["aliases"]

/** The same for every name of an asset: a price of one holds for those that the policy calls equal. */
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

/** Names of one asset whose prices differ, or nothing. */
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

/** `amount × price`, exact. */
export const worth = (amount: string, price: string): string => {
  const [digits, more] = [Amount.scale(amount), Amount.scale(price)]
  return Amount.format(Amount.units(amount, digits) * Amount.units(price, more), digits + more)
}
