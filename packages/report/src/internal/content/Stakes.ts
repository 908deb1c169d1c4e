/** The stake of an outcome: what it is about, what of that is missing or too much, and the worth of this where there is a price. */
import * as Amount from "@tallystick/core/Amount"
import * as Difference from "@tallystick/reconcile/Difference"
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
  /** What is missing or too much, of this asset under any of its names; null where there is none to speak of. */
  readonly difference: Omit<Difference.Difference, "asset"> | null
  /**
   * The worth of the size of the difference at the given prices, and of what was moved of another asset; null without a difference or a price of
   * either.
   */
  readonly worth: string | null
}

export interface Options {
  readonly policy: Pick<Policy.Resolved, "assets">
  /** Prices by any name of an asset. */
  readonly prices?: Prices.Prices | undefined
}

const more = (a: string, b: string): string => Amount.compare(a, b) < 0 ? b : a

/** Returns the stakes of outcomes, for this policy and these prices. */
export const of = ({ policy, prices }: Options): (outcome: Outcome.Outcome) => Stake => {
  const { aliases } = policy.assets
  const first = new Map(aliases.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)))
  const nameOf = ({ asset }: Pick<Entry.Entry, "asset">): string => first.get(asset) ?? asset
  const resolved = prices === undefined ? undefined : Prices.resolve(prices, aliases)

  const amountOf = (outcome: Outcome.Outcome, asset: string): string => {
    if (outcome.outcome !== "matched" && outcome.openSum !== undefined) return Amount.canonical(outcome.openSum)
    const shares = Report.sharesOf(outcome)
    const own = Report.bucketOf(outcome)
    return (["deposits", "transfers"] as const).map((side) =>
      Amount.sum(
        shares[side]
          .filter(({ bucket }) => bucket === own)
          .flatMap(({ from, to }) => outcome[side].slice(from, to))
          .filter((entry) => nameOf(entry) === asset)
          .map(({ amount }) => amount)
      )
    ).reduce(more)
  }

  const worthOf = ({ asset, other, size }: Difference.Difference): string | null => {
    const worths = [[asset, size], ...(other === undefined ? [] : [[other.asset, other.excess]])].map(
      ([name = "", amount = "0"]) => {
        const price = resolved?.get(name)
        return price === undefined ? undefined : Amount.times(amount, price)
      }
    )
    return worths.includes(undefined) ? null : Amount.sum(worths.map((worth) => worth ?? "0"))
  }

  const named = ({ other, ...difference }: Difference.Difference): Difference.Difference =>
    other === undefined ? difference : { ...difference, other: { asset: nameOf(other), excess: other.excess } }

  return (outcome) => {
    const [one] = [...outcome.deposits, ...outcome.transfers]
    if (one === undefined) return { asset: "", amount: "0", difference: null, worth: null }
    const asset = nameOf(one)
    const found = Difference.of(outcome)
    return {
      asset,
      amount: amountOf(outcome, asset),
      difference: found === undefined ? null : named(found),
      worth: found === undefined ? null : worthOf(found)
    }
  }
}
