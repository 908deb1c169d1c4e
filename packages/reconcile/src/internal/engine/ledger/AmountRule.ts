/** Decides which amounts belong together under a tolerance or a fee, in exact arithmetic. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "../../../Policy.ts"
import type * as Because from "../../explain/Because.ts"

type Tolerance = Policy.Rule["tolerance"]
type Fee = Policy.Resolved["fees"][number]

/** A positive rational number. */
interface Ratio {
  readonly over: bigint
  readonly under: bigint
}

/** Amounts of transfers from `low` to `high`, both inclusive, in units of the scale. Without `high` there is no upper bound. */
export interface Interval {
  readonly low: bigint
  readonly high: bigint | undefined
}

/** An amount that the transfer of a deposit may have. */
export interface Expectation {
  readonly net: bigint
  readonly fee: Fee | undefined
}

/** The difference between a transfer and an expected amount. */
export interface Fit {
  readonly residual: bigint
  readonly fee: Fee | undefined
}

const ratio = (text: string): Ratio => {
  const digits = Amount.scale(text)
  return { over: Amount.units(text, digits), under: 10n ** BigInt(digits) }
}

const floor = (over: bigint, under: bigint): bigint => over / under
const ceil = (over: bigint, under: bigint): bigint => (over + under - 1n) / under
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The number of decimal places in the amounts and rates of a policy. */
export interface Digits {
  readonly amount: number
  readonly rate: number
  readonly other: number
}

const most = (texts: ReadonlyArray<string>): number =>
  texts.reduce((digits, text) => Math.max(digits, Amount.scale(text)), 0)

export const digitsOf = (policy: Policy.Resolved): Digits => {
  const rules = [policy, ...policy.per]
  return {
    amount: most(rules.map(({ ambiguity }) => ambiguity.residual)),
    rate: most(policy.fees.map(({ rate }) => rate)),
    other: most([...rules.map(({ tolerance }) => tolerance.absolute), ...policy.fees.map(({ flat }) => flat)])
  }
}

/** Returns the number of decimal places that makes every amount, bound and net amount an integer. */
export const scaleOf = (amounts: ReadonlyArray<string>, { amount, other, rate }: Digits): number =>
  Math.max(Math.max(amount, most(amounts)) + rate, other)

/** Whether the tolerance accepts equal amounts only. */
export const isExact = ({ absolute, maxShare, relative }: Tolerance): boolean =>
  Amount.isZero(relative) && (Amount.isZero(absolute) || Amount.isZero(maxShare))

/** Whether a policy lets amounts that differ be a pair. */
export const areUnlike = ({ fees, per, tolerance }: Pick<Policy.Resolved, "fees" | "per" | "tolerance">): boolean =>
  fees.length > 0 || [tolerance, ...per.map((rule) => rule.tolerance)].some((one) => !isExact(one))

/**
 * Returns the amounts that the transfer of `deposit`, or that many transfers together, may have: the deposit itself, and the
 * deposit less each fee.
 */
export const expectations = (
  deposit: bigint,
  fees: ReadonlyArray<Fee>,
  scale: number,
  transfers = 1
): ReadonlyArray<Expectation> => [
  { net: deposit, fee: undefined },
  ...fees.flatMap((fee) => {
    const { over, under } = ratio(fee.rate)
    const net = deposit - Amount.units(fee.flat, scale) * BigInt(transfers) - (deposit * over) / under
    return net > 0n ? [{ net, fee }] : []
  })
]

/**
 * Returns the amounts that the tolerance accepts for an expected amount: `|transfer − net| ≤ max(min(absolute, maxShare × the
 * smaller), relative × base)`, or strictly below. They are one interval, because each bound grows slower than the amount.
 */
const accepted = (net: bigint, tolerance: Tolerance, scale: number): Interval => {
  const absolute = Amount.units(tolerance.absolute, scale)
  const share = ratio(tolerance.maxShare)
  const relative = ratio(tolerance.relative)
  // Strictly below an integer bound means at most the integer before it. Strictly below a fraction means at most the integer
  // below it.
  const strict = tolerance.inclusive ? 0n : 1n
  const most = (over: bigint, under: bigint): bigint =>
    tolerance.inclusive ? floor(over, under) : ceil(over, under) - 1n
  const least = (over: bigint, under: bigint): bigint =>
    tolerance.inclusive ? ceil(over, under) : floor(over, under) + 1n

  const absoluteHigh = net + smaller(absolute - strict, most(net * share.over, share.under))
  const absoluteLow = larger(net - absolute + strict, least(net * share.under, share.under + share.over))
  const relativeLow = tolerance.base === "transfer"
    ? least(net * relative.under, relative.under + relative.over)
    : net - most(net * relative.over, relative.under)
  const low = larger(smaller(net, smaller(absoluteLow, relativeLow)), 1n)

  if (tolerance.base === "deposit") {
    return { low, high: larger(net, larger(absoluteHigh, net + most(net * relative.over, relative.under))) }
  }
  if (relative.over >= relative.under) return { low, high: undefined }
  const relativeHigh = most(net * relative.under, relative.under - relative.over)
  return { low, high: larger(net, larger(absoluteHigh, relativeHigh)) }
}

const holds = ({ high, low }: Interval, amount: bigint): boolean =>
  amount >= low && (high === undefined || amount <= high)

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** Finds the expectation that the transfer is nearest to. The deposit's own amount goes before a fee. */
export const nearest = (expected: ReadonlyArray<Expectation>, transfer: bigint): Fit => {
  let best: Fit | undefined
  for (const { fee, net } of expected) {
    const residual = transfer - net
    if (best === undefined || magnitude(residual) < magnitude(best.residual)) best = { residual, fee }
  }
  return best ?? { residual: transfer, fee: undefined }
}

/** An expectation, with the amounts that the tolerance accepts for it. */
export interface Bounded extends Expectation {
  readonly interval: Interval
}

export const bounded = (
  expected: ReadonlyArray<Expectation>,
  tolerance: Tolerance,
  scale: number
): ReadonlyArray<Bounded> => expected.map(({ fee, net }) => ({ net, fee, interval: accepted(net, tolerance, scale) }))

/** Says how the transfer fits the deposit, or nothing if the tolerance accepts it for none of the expectations. */
export const fit = (expected: ReadonlyArray<Bounded>, transfer: bigint): Fit | undefined => {
  const fitting = expected.filter(({ interval }) => holds(interval, transfer))
  return fitting.length === 0 ? undefined : nearest(fitting, transfer)
}

/** Returns all amounts that are accepted for a deposit, as intervals that do not overlap. */
export const intervals = (expected: ReadonlyArray<Bounded>): ReadonlyArray<Interval> => {
  const merged: Array<Interval> = []
  const sorted = expected
    .map(({ interval }) => interval)
    .toSorted((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0))
  for (const next of sorted) {
    const last = merged.at(-1)
    if (last === undefined || (last.high !== undefined && next.low > last.high)) merged.push(next)
    else if (last.high !== undefined) {
      merged[merged.length - 1] = {
        low: last.low,
        high: next.high === undefined ? undefined : larger(last.high, next.high)
      }
    }
  }
  return merged
}

/** Puts the fee among the facts of an outcome. */
export const factOf = (fee: Fee | undefined): { readonly fee?: Because.Fee } =>
  fee === undefined ? {} : { fee: { flat: fee.flat, rate: fee.rate } }
