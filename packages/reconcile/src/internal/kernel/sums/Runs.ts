/** Finds covering sets that are consecutive in time. One pass finds them all, while other sets take many. */
import { f64 } from "../Column.ts"
import { type Acceptance, type Addends, bigintAt, contains } from "./Addends.ts"
import type { Members } from "./Spread.ts"

const named = 3

export interface Runs {
  /** The number of members of the shortest runs; 0 if there are none. */
  readonly size: number
  /** The number of runs of that size. */
  readonly count: number
  /** Up to three runs, the shortest first. */
  readonly sets: ReadonlyArray<Members>
}

/** Returns the candidates from one position up to another. */
export const run = (from: number, to: number): Members =>
  Int32Array.from({ length: to - from }, (_, step) => from + step)

const exactPrefix = (exact: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  let sum = 0n
  return [sum, ...exact.map((amount) => (sum += amount))]
}

/**
 * Finds the shortest covering runs of 2 to `maxRun` members. It takes linear time if the accepted sums do not depend on the
 * number of members; else it looks at up to `maxRun` sums for each candidate.
 */
export const find = (addends: Addends, acceptance: Acceptance, times: Float64Array, maxRun: number): Runs => {
  const { exact, values } = addends
  const prefix = new Float64Array(values.length + 1)
  for (let index = 0; index < values.length; index++) prefix[index + 1] = f64(prefix, index) + f64(values, index)
  const precise = exact === undefined ? undefined : exactPrefix(exact)
  const covers = (from: number, to: number): boolean => {
    if (!contains(acceptance.ranges(to - from), f64(prefix, to) - f64(prefix, from))) return false
    return precise === undefined || acceptance.holds === undefined ||
      acceptance.holds(to - from, bigintAt(precise, to) - bigintAt(precise, from))
  }

  let longest = Math.min(maxRun, values.length)
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let size = 2; size <= longest; size++) {
    const ranges = acceptance.ranges(size)
    low = Math.min(low, ranges[0]?.low ?? low)
    high = Math.max(high, ranges.at(-1)?.high ?? high)
  }

  const spread = ([from, to]: readonly [number, number]): number => f64(times, to - 1) - f64(times, from)
  const kept: Array<readonly [number, number]> = []
  let count = 0
  let size = 0
  let reached = 0
  for (let from = 0; from + 2 <= values.length; from++) {
    reached = Math.max(reached, from + 2)
    while (reached <= values.length && f64(prefix, reached) - f64(prefix, from) < low) reached++
    for (let to = reached; to <= values.length && to - from <= longest; to++) {
      if (f64(prefix, to) - f64(prefix, from) > high) break
      if (!covers(from, to)) continue
      count = to - from === size ? count + 1 : 1
      size = to - from
      longest = size
      kept.push([from, to])
      kept.sort((a, b) => a[1] - a[0] - (b[1] - b[0]) || spread(a) - spread(b) || a[0] - b[0])
      kept.length = Math.min(kept.length, named)
      break
    }
  }
  return { size, count, sets: kept.map(([from, to]) => run(from, to)) }
}
