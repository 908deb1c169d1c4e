/**
 * Estimates how many sets of candidates come to an accepted sum by accident. "The only set that covers" is no evidence where
 * many sums are possible: among enough candidates some set comes to any amount.
 *
 * The estimate assumes that the sums of all sets of one size lie on a grid, the multiples of the amounts' greatest common
 * divisor. So round amounts have few possible sums. It assumes that the sums are spread evenly from the least to the greatest,
 * or bunch around their mean, whichever is denser. Estimates are doubles: they weigh evidence, and decide no sum.
 */
import { f64 } from "../Column.ts"
import { bigintAt } from "./Addends.ts"

/** Accepted sums, both ends inclusive. */
interface Range {
  readonly low: number
  readonly high: number
}

export interface Chance {
  readonly candidates: number
  /** The expected number of sets of that size with an accepted sum: 0 if no set can have one, possibly infinite, never NaN. */
  readonly ofSize: (size: number, accepted: ReadonlyArray<Range>) => number
  /**
   * The smallest number of members whose sum can reach `low`; one more than the number of candidates if not even all of
   * them reach it.
   */
  readonly fewest: (low: number) => number
}

export type Amounts = Float64Array | ReadonlyArray<bigint>

/** Returns the greatest common divisor of integers from 1; 0 if there are none. */
export const divisor = (amounts: Amounts): bigint => {
  if (amounts instanceof Float64Array) {
    let common = 0
    for (let index = 0; index < amounts.length && common !== 1; index++) {
      for (let other = f64(amounts, index); other !== 0;) [common, other] = [other, common % other]
    }
    return BigInt(common)
  }
  let common = 0n
  for (let index = 0; index < amounts.length && common !== 1n; index++) {
    for (let other = bigintAt(amounts, index); other !== 0n;) [common, other] = [other, common % other]
  }
  return common
}

/**
 * Makes the estimate for `amounts`, which are integers of at least 1, ascending: safe ones as doubles, or bigints of any
 * size.
 */
export const make = (amounts: Amounts): Chance => {
  const sorted = amounts instanceof Float64Array ? amounts : Float64Array.from(amounts, Number)
  const count = sorted.length
  const grid = Math.max(1, Number(divisor(amounts)))
  /** Returns the sum of the least amounts, so many of them. */
  const least = (size: number): number => {
    let sum = 0
    for (let index = 0; index < size; index++) sum += f64(sorted, index)
    return sum
  }
  const greatest = (size: number): number => {
    let sum = 0
    for (let index = 1; index <= size; index++) sum += f64(sorted, count - index)
    return sum
  }
  const total = least(count)
  const mean = total / Math.max(1, count)
  let variance = 0
  for (let index = 0; index < count; index++) {
    const step = (f64(sorted, index) - mean) / grid
    variance += step * step / Math.max(1, count - 1)
  }

  /** The greatest share of the sets of one size that have one and the same sum. */
  const densest = (size: number, range: number): number => {
    // There is one such set, and its sum could have been any multiple of the grid up to it.
    if (size === count) return Math.min(1, grid / total)
    const even = 1 / (range / grid + 1)
    const deviation = Math.sqrt(variance * size * (count - size) / count)
    const bunched = deviation > 0 ? 1 / (deviation * Math.sqrt(2 * Math.PI)) : 1
    return Math.min(1, Math.max(even, bunched))
  }

  return {
    candidates: count,
    ofSize: (size, accepted) => {
      if (size < 1 || size > count) return 0
      const [from, to] = [least(size), greatest(size)]
      let sums = 0
      for (const { high, low } of accepted) {
        if (low > to || high < from) continue
        const within = Math.min(high, to) - Math.max(low, from)
        sums += Math.floor(within / grid) + 1
      }
      return sums === 0 ? 0 : sets(count, size) * Math.min(1, sums * densest(size, to - from))
    },
    fewest: (low) => {
      let sum = 0
      let size = 1
      for (; size <= count; size++) {
        sum += f64(sorted, count - size)
        if (sum >= low) break
      }
      return size
    }
  }
}

/** Returns the number of sets of one size; infinite where a double cannot hold it. */
export const sets = (candidates: number, size: number): number => {
  let product = 1
  const steps = Math.min(size, candidates - size)
  for (let step = 1; step <= steps; step++) product *= (candidates - steps + step) / step
  return Math.round(product)
}
