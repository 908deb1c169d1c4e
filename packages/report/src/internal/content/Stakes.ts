/** The stake of an outcome: an amount, and its worth where there is a price. No code here needs a runtime. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as Prices from "../../Prices.ts"

/** The stake of an outcome, as exact decimals without superfluous zeros. */
export interface Stake {
  /** The asset of its first deposit, or else transfer, by the first name that the policy has for it; empty without entries. */
  readonly asset: string
  /**
   * The open part of a sum that falls short, or of a class. In other outcomes, the sum of its entries of this asset on the
   * side where that is more; failed attempts do not count.
   */
  readonly amount: string
  /** The worth at the given prices, all assets of a side together; null if one of them has no price. */
  readonly worth: string | null
}

export interface Options {
  readonly policy: Pick<Policy.Resolved, "assets">
  /** Prices by any name of an asset. */
  readonly prices?: Prices.Prices | undefined
}

type Sum = { units: bigint; scale: number }

const add = (sum: Sum, amount: string): void => {
  const scale = Amount.scale(amount)
  if (scale > sum.scale) {
    sum.units *= 10n ** BigInt(scale - sum.scale)
    sum.scale = scale
  }
  sum.units += Amount.units(amount, sum.scale)
}

const total = (amounts: ReadonlyArray<string>): string => {
  const sum: Sum = { units: 0n, scale: 0 }
  for (const amount of amounts) add(sum, amount)
  return Amount.format(sum.units, sum.scale)
}

const more = (a: string, b: string): string => Amount.compare(a, b) < 0 ? b : a

/** Returns the stakes of outcomes, for this policy and these prices. */
export const of = ({ policy, prices }: Options): (outcome: Outcome.Outcome) => Stake => {
  const { aliases } = policy.assets
  const first = new Map(aliases.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)))
  const nameOf = ({ asset }: Entry.Entry): string => first.get(asset) ?? asset
  const resolved = prices === undefined ? undefined : Prices.resolve(prices, aliases)

  const worthOf = (entries: ReadonlyArray<Entry.Entry>): string | undefined => {
    const worths = entries.map(({ amount, asset }) => {
      const price = resolved?.get(asset)
      return price === undefined ? undefined : Amount.times(amount, price)
    })
    const known = worths.filter((worth) => worth !== undefined)
    return known.length === 0 || known.length < worths.length ? undefined : total(known)
  }

  /** The amount that the outcome itself says is open. */
  const openOf = ({ deposits, openSum, outcome, transfers }: Outcome.Outcome): Stake | undefined => {
    const one = deposits[0] ?? transfers[0]
    if (outcome === "matched" || openSum === undefined || one === undefined) return undefined
    const amount = total([openSum])
    const price = resolved?.get(one.asset)
    return { asset: nameOf(one), amount, worth: price === undefined ? null : Amount.times(amount, price) }
  }

  return (outcome) => {
    const open = openOf(outcome)
    if (open !== undefined) return open
    const shares = Report.sharesOf(outcome)
    const own = Report.bucketOf(outcome)
    const sides = (["deposits", "transfers"] as const).map((side) =>
      shares[side].filter(({ bucket }) => bucket === own).flatMap(({ from, to }) => outcome[side].slice(from, to))
    )
    const one = outcome.deposits[0] ?? outcome.transfers[0]
    const asset = one === undefined ? "" : nameOf(one)
    const amounts = sides.map((entries) =>
      total(entries.filter((entry) => nameOf(entry) === asset).map(({ amount }) => amount))
    )
    const worths = sides.map(worthOf).filter((worth) => worth !== undefined)
    return {
      asset,
      amount: amounts.reduce(more),
      worth: worths.length === 0 ? null : worths.reduce(more)
    }
  }
}
