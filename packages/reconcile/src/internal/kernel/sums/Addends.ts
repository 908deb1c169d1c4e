/**
 * Amounts as doubles whose sums are exact. Where the amounts add up to more than a double can hold, they are divided by a
 * power of two and rounded down. The sums then tell only which sets to look at, and exact integers tell which of these fit.
 */
import { f64 } from "../Column.ts"

/** Sums from `low` to `high`, both inclusive; `high` undefined means no bound. */
export interface Interval {
  readonly low: bigint
  readonly high: bigint | undefined
}

/** An interval of doubles, both ends inclusive. */
export interface Range {
  readonly low: number
  readonly high: number
}

export interface Addends {
  readonly values: Float64Array
  /** The sum of the values. */
  readonly total: number
  /** The amounts themselves, where the values are rounded. */
  readonly exact: ReadonlyArray<bigint> | undefined
  /** The number of times that an amount is divided by two to give its value. */
  readonly shift: bigint
}

/** The sums that are accepted, by the number of members. */
export interface Acceptance {
  /** The ranges that a sum of values must lie in, ascending and disjoint. Without `holds` that is enough. */
  readonly ranges: (count: number) => ReadonlyArray<Range>
  /** Whether an exact sum is accepted; `undefined` where the values are exact. */
  readonly holds: ((count: number, sum: bigint) => boolean) | undefined
}

export const bigintAt = (column: ReadonlyArray<bigint>, index: number): bigint => {
  const value = column[index]
  if (value === undefined) throw new RangeError(`index ${index} in a column of ${column.length}`)
  return value
}

const bits = 53
const unshifted = 0n

/** Makes addends of integers of at least 1, which are all doubles or all bigints. */
export const make = (amounts: Float64Array | ReadonlyArray<bigint>): Addends => {
  if (amounts instanceof Float64Array) {
    let total = 0
    for (let index = 0; index < amounts.length; index++) total += f64(amounts, index)
    if (total <= Number.MAX_SAFE_INTEGER) return { values: amounts, total, exact: undefined, shift: unshifted }
  }
  const exact = Array.from<number | bigint, bigint>(amounts, BigInt)
  let sum = 0n
  for (const amount of exact) sum += amount
  const shift = BigInt(Math.max(0, sum.toString(2).length - bits))
  const values = Float64Array.from(exact, (amount) => Number(amount >> shift))
  let total = 0
  for (let index = 0; index < values.length; index++) total += f64(values, index)
  return { values, total, exact: shift === unshifted ? undefined : exact, shift }
}

/** Turns intervals into ranges of values. Rounding down lowers the sum of the members by less than their number. */
const rangesOf = (
  { exact, shift, total }: Addends,
  count: number,
  intervals: ReadonlyArray<Interval>
): ReadonlyArray<Range> => {
  const slack = exact === undefined ? 0n : BigInt(count - 1)
  const most = BigInt(total)
  const merged: Array<Range> = []
  for (const interval of intervals) {
    const least = (interval.low >> shift) - slack
    const greatest = interval.high === undefined ? most : interval.high >> shift
    if (least > most || greatest < 0n) continue
    const low = least < 0n ? 0 : Number(least)
    const high = greatest > most ? total : Number(greatest)
    const last = merged.at(-1)
    if (last === undefined || last.high < low) merged.push({ low, high })
    else merged[merged.length - 1] = { low: last.low, high: Math.max(last.high, high) }
  }
  return merged
}

/**
 * Makes an acceptance of intervals that are ascending and disjoint. A list that is the same for several counts is
 * converted once.
 */
export const acceptance = (addends: Addends, accepts: (count: number) => ReadonlyArray<Interval>): Acceptance => {
  const known = new Map<number, ReadonlyArray<Range>>()
  let intervals: ReadonlyArray<Interval> | undefined
  let ranges: ReadonlyArray<Range> = []
  return {
    ranges: (count) => {
      const before = known.get(count)
      if (before !== undefined) return before
      const wanted = accepts(count)
      if (wanted !== intervals || addends.exact !== undefined) ranges = rangesOf(addends, count, wanted)
      intervals = wanted
      known.set(count, ranges)
      return ranges
    },
    holds: addends.exact === undefined
      ? undefined
      : (count, sum) => accepts(count).some(({ high, low }) => low <= sum && (high === undefined || sum <= high))
  }
}

/** Whether a sum of values lies in one of the ranges. */
export const contains = (ranges: ReadonlyArray<Range>, sum: number): boolean =>
  ranges.some(({ high, low }) => low <= sum && sum <= high)
