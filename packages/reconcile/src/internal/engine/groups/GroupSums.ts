/**
 * Decides which sums belong together: several deposits and one transfer, or one deposit and several transfers. Sums are
 * compared like single amounts. The flat part of a fee counts once for each transfer, and the sum of the deposits is the base.
 *
 * Deposits under different rules, or of assets with different fees, are compared for equality only.
 */
import type * as Entry from "../../../Entry.ts"
import type * as Policy from "../../../Policy.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import type { Amounts } from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"

export interface GroupSums {
  /** Whether only equal sums are accepted. */
  readonly isPlain: boolean
  /** Returns the accepted sums of that many parts for the target. It is the same list if the number does not matter. */
  readonly accepted: (
    side: Entry.Side,
    target: number,
    parts: Int32Array
  ) => (count: number) => ReadonlyArray<AmountRule.Interval>
  /** Says how the sums fit, if they do. */
  readonly fit: (deposits: ReadonlyArray<number>, transfers: ReadonlyArray<number>) => AmountRule.Fit | undefined
}

interface Terms {
  readonly tolerance: Policy.Rule["tolerance"]
  readonly fees: Policy.Resolved["fees"]
}

/**
 * Returns the smallest value from 1 to `most` for which `holds` is true, if it is true for all larger ones. The search goes
 * outwards from `near`.
 */
const least = (near: bigint, most: bigint, holds: (value: bigint) => boolean): bigint | undefined => {
  let low = 0n
  let high = near < most ? near : most
  if (high < 1n || !holds(high)) {
    low = high
    for (let step = 1n; high < most; step *= 2n) {
      high = high + step < most ? high + step : most
      if (holds(high)) break
      low = high
    }
    if (low === most) return undefined
  } else {
    for (let step = 1n; low === 0n && high > 1n; step *= 2n) {
      const next = high > step ? high - step : 1n
      if (holds(next)) high = next
      else low = next
    }
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

const byLow = (a: AmountRule.Interval, b: AmountRule.Interval): number => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0)

const merged = (intervals: ReadonlyArray<AmountRule.Interval>): ReadonlyArray<AmountRule.Interval> => {
  const found: Array<AmountRule.Interval> = []
  for (const next of intervals.toSorted(byLow)) {
    const last = found.at(-1)
    if (last === undefined || (last.high !== undefined && next.low > last.high)) found.push(next)
    else if (last.high !== undefined && (next.high === undefined || next.high > last.high)) {
      found[found.length - 1] = { low: last.low, high: next.high }
    }
  }
  return found
}

export const make = (ledger: Ledger, amounts: Amounts): GroupSums => {
  const { policy } = ledger
  const { scale } = amounts
  const byAsset = new Map<string, Map<Policy.Rule, Terms>>()
  const termsOf = (deposit: number): Terms => {
    const asset = policy.fees.length === 0 ? "" : item(ledger.deposits.entries, deposit).asset
    const rule = ledger.rule(deposit)
    const known = byAsset.get(asset) ?? new Map<Policy.Rule, Terms>()
    byAsset.set(asset, known)
    const terms = known.get(rule) ?? { tolerance: rule.tolerance, fees: ledger.fees(asset) }
    known.set(rule, terms)
    return terms
  }
  const isPlain = ({ fees, tolerance }: Terms): boolean => fees.length === 0 && AmountRule.isExact(tolerance)
  const bounds = (sum: bigint, { fees, tolerance }: Terms, transfers = 1): ReadonlyArray<AmountRule.Bounded> =>
    AmountRule.bounded(AmountRule.expectations(sum, fees, scale, transfers), tolerance, scale)

  /** Returns the sums of deposits for which the transfer is accepted under one expectation. */
  const inverse = (
    { fees, tolerance }: Terms,
    which: number,
    transfer: bigint,
    most: bigint
  ): ReadonlyArray<AmountRule.Interval> => {
    const fee = fees[which]
    const intervalOf = (sum: bigint): AmountRule.Interval | undefined =>
      bounds(sum, { tolerance, fees: fee === undefined ? [] : [fee] }).find((one) => one.fee === fee)?.interval
    const low = least(transfer, most, (sum) => {
      const interval = intervalOf(sum)
      return interval !== undefined && (interval.high === undefined || interval.high >= transfer)
    })
    if (low === undefined) return []
    const beyond = least(transfer, most, (sum) => (intervalOf(sum)?.low ?? 0n) > transfer)
    const high = beyond === undefined ? most : beyond - 1n
    return low <= high ? [{ low, high }] : []
  }

  /** Returns the sums of transfers that are accepted for the deposit. */
  const ofTransfers = (deposit: number) => {
    const terms = termsOf(deposit)
    const amount = amounts.deposit(deposit)
    const isEven = terms.fees.every(({ flat }) => /^[0.]*$/.test(flat))
    const known = new Map<number, ReadonlyArray<AmountRule.Interval>>()
    return (count: number): ReadonlyArray<AmountRule.Interval> => {
      const key = isEven ? 1 : count
      const before = known.get(key)
      if (before !== undefined) return before
      const intervals = isPlain(terms)
        ? [{ low: amount, high: amount }]
        : AmountRule.intervals(bounds(amount, terms, key))
      known.set(key, intervals)
      return intervals
    }
  }
  /** Returns the sums of some of the deposits for which the transfer is accepted. */
  const ofDeposits = (transfer: number, deposits: Int32Array): ReadonlyArray<AmountRule.Interval> => {
    const amount = amounts.transfer(transfer)
    const all = new Set(Array.from(deposits, termsOf))
    const found: Array<AmountRule.Interval> = [{ low: amount, high: amount }]
    let most: bigint | undefined
    for (const terms of all) {
      if (isPlain(terms)) continue
      most ??= deposits.reduce((sum, deposit) => sum + amounts.deposit(deposit), 0n)
      for (let which = -1; which < terms.fees.length; which++) found.push(...inverse(terms, which, amount, most))
    }
    return merged(found)
  }

  const isAllPlain = [policy, ...policy.per].every(({ tolerance }) => isPlain({ tolerance, fees: policy.fees }))

  return {
    isPlain: isAllPlain,
    accepted: (side, target, parts) => {
      if (isAllPlain) {
        const amount = amounts[side](target)
        const intervals = [{ low: amount, high: amount }]
        return () => intervals
      }
      if (side === "deposit") return ofTransfers(target)
      const intervals = ofDeposits(target, parts)
      return () => intervals
    },
    fit: (deposits, transfers) => {
      const sum = deposits.reduce((total, deposit) => total + amounts.deposit(deposit), 0n)
      const moved = transfers.reduce((total, transfer) => total + amounts.transfer(transfer), 0n)
      const [terms, ...others] = new Set(deposits.map(termsOf))
      if (terms === undefined || others.length > 0) {
        return sum === moved ? { residual: 0n, fee: undefined } : undefined
      }
      return AmountRule.fit(bounds(sum, terms, transfers.length), moved)
    }
  }
}
