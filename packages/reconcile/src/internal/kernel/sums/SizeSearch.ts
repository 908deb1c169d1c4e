/** Finds all covering sets of one size: their number, and the smallest of them. */
import { f64 } from "../Column.ts"
import type { Acceptance, Addends } from "./Addends.ts"
import * as AmountClasses from "./AmountClasses.ts"
import type { Budget } from "./Budget.ts"
import * as Halves from "./Halves.ts"
import * as Spread from "./Spread.ts"

export interface Found {
  /** The number of sets that were found, up to the largest safe integer. */
  readonly count: number
  /** Up to three of them. */
  readonly sets: ReadonlyArray<Spread.Members>
  /** Whether there are no other sets. Then `sets` are the least spread in time, unless the size is above `maxSize`. */
  readonly isComplete: boolean
}

export interface SizeSearch {
  /** Finds the sets of a size, if it is at most `maxSize`, leaves out at most that many, or cannot cover by its sums. */
  readonly find: (size: number) => Found
  /** The number of candidates that are small enough for any set. */
  readonly usable: number
}

const nothing: Found = { count: 0, sets: [], isComplete: true }
const unknown: Found = { count: 0, sets: [], isComplete: false }

/** Returns the exact sum of all candidates, where the values are rounded. */
const exactSum = (classes: AmountClasses.Classes): bigint => {
  let sum = 0n
  classes.exact?.forEach((amount, index) => (sum += amount * BigInt(AmountClasses.size(classes, index))))
  return sum
}

/** Returns the acceptance for the members that a set leaves out. */
const leftOut = (classes: AmountClasses.Classes, { holds, ranges }: Acceptance): Acceptance => {
  const { members, sums } = classes
  const total = f64(sums, members.length)
  const exactTotal = exactSum(classes)
  return {
    ranges: (count) =>
      ranges(members.length - count).toReversed()
        .map(({ high, low }) => ({ low: total - high, high: total - low })),
    holds: holds === undefined ? undefined : (count, sum) => holds(members.length - count, exactTotal - sum)
  }
}

const others = (classes: AmountClasses.Classes, set: Spread.Members): Spread.Members => {
  const out = new Set(set)
  return classes.members.toSorted().filter((candidate) => !out.has(candidate))
}

/**
 * Makes a search for sizes from 2 to `longest`. Sets of up to `maxSize` members, or that leave out up to that many, are
 * found by halves.
 */
export const make = (
  addends: Addends,
  acceptance: Acceptance,
  times: Float64Array,
  { longest, maxSize }: { readonly longest: number; readonly maxSize: number },
  budget: Budget
): SizeSearch => {
  let most = 0
  for (let size = 2; size <= longest; size++) most = Math.max(most, acceptance.ranges(size).at(-1)?.high ?? 0)
  const classes = AmountClasses.make(addends, most)
  const usable = classes.members.length
  const inside = Halves.make(classes, acceptance, maxSize, budget)
  const outside = Halves.make(classes, leftOut(classes, acceptance), Math.min(maxSize, usable - 2), budget)

  const by = (halves: Halves.Halves, size: number): Found => {
    const smallest = Spread.smallest(times)
    let count = 0
    const isComplete = halves.find(size, (cover) => {
      count = Math.min(count + Spread.ways(classes, cover), Number.MAX_SAFE_INTEGER)
      Spread.offer(classes, cover, smallest)
      return budget.spend(cover.length * Spread.breadth(classes, cover))
    })
    return { count, sets: smallest.sets(), isComplete }
  }

  const find = (size: number): Found => {
    if (!inside.isPossible(size)) return nothing
    if (size <= maxSize) return by(inside, size)
    const left = usable - size
    if (left > maxSize) return unknown
    if (left === 0) {
      const isAll = acceptance.holds === undefined || acceptance.holds(size, exactSum(classes))
      return isAll ? { count: 1, sets: [classes.members.toSorted()], isComplete: true } : nothing
    }
    const found = by(outside, left)
    return { ...found, sets: found.sets.map((set) => others(classes, set)) }
  }

  return { find, usable }
}
