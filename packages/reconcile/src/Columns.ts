/**
 * Matching in columns: the pairs that `Matching` states, from numbers alone. For whoever holds millions of entries in
 * typed arrays and wants pairs rather than reports.
 *
 * The same tiers, `exact` and then `tolerant`, under one rule for all assets: no accounts, references, fees, groups or
 * lateness. Everything counts as settled, and as read completely.
 */
import * as Exact from "./internal/columns/Exact.ts"
import * as Pairs from "./internal/columns/Pairs.ts"
import * as Sorted from "./internal/columns/Sorted.ts"
import * as Tolerant from "./internal/columns/Tolerant.ts"
import * as AmountRule from "./internal/matching/AmountRule.ts"
import type * as Policy from "./Policy.ts"

/** Entries of one side as columns of equal length, in any order. */
export interface Side {
  /** The number of the asset: a position in `scales`. */
  readonly asset: Int32Array
  /** Whole units of the asset's scale, from 1 to 2^53 − 1. */
  readonly amount: Float64Array
  /** Unix ms, a whole number. */
  readonly at: Float64Array
}

export interface Input {
  readonly deposits: Side
  readonly transfers: Side
  /** Per asset, how many digits behind the point its units stand for: 8 when an amount of 1 is `0.00000001`. */
  readonly scales: Int32Array
  /** A resolved policy; what it holds besides these is not looked at. */
  readonly policy: Pick<Policy.Resolved, "window" | "tolerance" | "ambiguity">
}

/** What decided a stated pair, by its number in `Output.decidedBy`; 0 = nothing is stated. */
export const decisions = ["", "forced", "time", "amount", "assigned"] as const

/** Entries that hang together by candidate pairs none of which can be stated, as positions in the input, by time. */
export type Component = Pairs.Component

export interface Output {
  /** Per deposit, the transfer that it is stated to belong to, or -1. */
  readonly transferOf: Int32Array
  /** Per deposit, what decided that: a position in `decisions`. */
  readonly decidedBy: Uint8Array
  readonly components: ReadonlyArray<Component>
}

const check = (name: string, { amount, asset, at }: Side, assets: number): void => {
  if (asset.length !== at.length || amount.length !== at.length) {
    throw new RangeError(
      `the columns of ${name} are of unequal length: ${asset.length}, ${amount.length}, ${at.length}`
    )
  }
  for (let index = 0; index < at.length; index++) {
    const units = amount[index] ?? 0
    const number = asset[index] ?? -1
    if (
      !(units >= 1 && Number.isSafeInteger(units) && Number.isSafeInteger(at[index]) && number >= 0 && number < assets)
    ) {
      throw new RangeError(
        `${name} ${index}: wanted an asset from 0 to ${
          assets - 1
        }, an amount from 1 to 2^53 - 1 and a time in whole ms, ` +
          `got ${number}, ${units} and ${at[index]}`
      )
    }
  }
}

/** States the pairs that are certain; throws a `RangeError` for columns that hold anything else than described. */
export const match = ({ deposits, policy, scales, transfers }: Input): Output => {
  check("deposits", deposits, scales.length)
  check("transfers", transfers, scales.length)
  const sides = { deposits: Sorted.byTime(deposits), transfers: Sorted.byTime(transfers) }
  const pairs = Pairs.make(sides.deposits, sides.transfers)
  if (AmountRule.isExact(policy.tolerance)) Exact.state(pairs, policy)
  else {
    Tolerant.state(pairs, policy, scales)
    const rest = Pairs.rest(pairs)
    Exact.state(rest, policy)
    Pairs.join(pairs, rest)
  }
  return Pairs.result(pairs)
}
