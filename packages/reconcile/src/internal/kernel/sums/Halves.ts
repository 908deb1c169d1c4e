/**
 * Finds the covering sets of a given size by meeting in the middle. Heads (the larger half of a set) are tried one by one,
 * and the tails that complete them are looked up by their sum. A set is given by classes here, with a number of members of
 * each.
 */
import { f64, i32 } from "../Column.ts"
import { type Acceptance, bigintAt, contains } from "./Addends.ts"
import * as AmountClasses from "./AmountClasses.ts"
import type { Budget } from "./Budget.ts"
import * as Tails from "./Tails.ts"

/** A covering set, given by classes, the largest amount first. */
export type Cover = ReadonlyArray<Tails.Share>

export interface Halves {
  /** Reports each cover of that size once. Returns false when the budget did not suffice to find all of them. */
  readonly find: (size: number, report: (cover: Cover) => boolean) => boolean
  /** Whether a set of that size can cover at all, by the largest and the least sum that it can have. */
  readonly isPossible: (size: number) => boolean
}

/** Makes a search for sizes up to `maxSize`. */
export const make = (
  classes: AmountClasses.Classes,
  acceptance: Acceptance,
  maxSize: number,
  budget: Budget
): Halves => {
  const { members, start, sums, values } = classes
  const largest = Math.min(maxSize, members.length)
  const all: Array<Tails.Tails> = [Tails.empty(classes)]

  const isPossible = (size: number): boolean =>
    size <= members.length &&
    acceptance.ranges(size).some(({ high, low }) =>
      f64(sums, size) >= low && AmountClasses.least(classes, size) <= high
    )

  let greatest: number | undefined
  /** The greatest sum that a set of any of the sizes may have. */
  const most = (): number => {
    if (greatest !== undefined) return greatest
    greatest = 0
    for (let size = 1; size <= largest; size++) {
      greatest = Math.max(greatest, acceptance.ranges(size).at(-1)?.high ?? 0)
    }
    return greatest
  }

  const isReady = (longest: number): boolean => {
    while (all.length <= longest) {
      const made = Tails.next(classes, all, most(), budget)
      if (made === undefined) return false
      all.push(made)
    }
    return true
  }

  const isExactly = (size: number, cover: Cover): boolean => {
    const { exact } = classes
    if (exact === undefined || acceptance.holds === undefined) return true
    let sum = 0n
    for (const share of cover) sum += BigInt(share.copies) * bigintAt(exact, share.class)
    return acceptance.holds(size, sum)
  }

  const find = (size: number, report: (cover: Cover) => boolean): boolean => {
    if (!isPossible(size)) return true
    const half = Math.ceil(size / 2)
    if (!isReady(size - half)) return false
    const ranges = acceptance.ranges(size)
    const low = ranges[0]?.low ?? 0
    const high = ranges.at(-1)?.high ?? 0
    const head: Array<Tails.Share> = []

    const settle = (cover: Cover): boolean => !isExactly(size, cover) || report(cover)

    /** Looks up the tails of `left` members, all of them in classes after `last`. */
    const complete = (last: number, left: number, sum: number): boolean => {
      if (left === 0) return !contains(ranges, sum) || settle(head.slice())
      const tails = all[left]
      if (tails === undefined) return true
      for (const range of ranges) {
        for (let place = firstFrom(tails.sums, range.low - sum); place < tails.sums.length; place++) {
          if (f64(tails.sums, place) > range.high - sum) break
          if (!budget.spend(1)) return false
          if (i32(tails.firsts, place) <= last) continue
          if (!settle([...head, ...Tails.shares(all, left, place)])) return false
        }
      }
      return true
    }

    /** Extends the head, which has `size - left` members and the sum `sum`, by members of one class from `from` on. */
    const extend = (from: number, left: number, sum: number): boolean => {
      const room = high - sum - AmountClasses.least(classes, left - 1)
      for (let next = Math.max(from, firstUpTo(values, room)); next < values.length; next++) {
        const begin = i32(start, next)
        if (begin + left > members.length) break
        if (sum + (f64(sums, begin + left) - f64(sums, begin)) < low) break
        const end = i32(start, next + 1)
        const copies = Math.min(left, end - begin)
        for (let taken = 1; taken <= copies; taken++) {
          const rest = left - taken
          const reached = sum + taken * f64(values, next)
          if (reached + AmountClasses.least(classes, rest) > high) break
          if (!budget.spend(1)) return false
          if (end + rest > members.length) continue
          if (reached + (f64(sums, end + rest) - f64(sums, end)) < low) continue
          head.push({ class: next, copies: taken })
          const isDone = size - rest < half ? extend(next + 1, rest, reached) : complete(next, rest, reached)
          head.pop()
          if (!isDone) return false
        }
      }
      return true
    }

    return extend(0, size, 0)
  }

  return { find, isPossible }
}

/** Finds the first place where a descending column is not above `most`. */
const firstUpTo = (column: Float64Array, most: number): number => {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (f64(column, middle) > most) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds the first place where an ascending column is not below `least`. */
const firstFrom = (column: Float64Array, least: number): number => {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (f64(column, middle) < least) low = middle + 1
    else high = middle
  }
  return low
}
