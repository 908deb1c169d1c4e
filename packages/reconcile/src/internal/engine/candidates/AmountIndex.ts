/**
 * Finds candidates by time and amount at once. It keeps blocks of doubling size in order of time, each sorted by amount. A
 * query takes at most two blocks of each size and looks its amounts up in each, so it touches nothing outside the answer.
 */
import { at, firstNotBefore, item } from "../ledger/Column.ts"
import { type List, list } from "./CandidateIndex.ts"

interface Level {
  readonly list: List
  /** The rank of the amount of each item. */
  readonly ranks: Int32Array
}

export interface AmountIndex {
  /** Visits the ranges that hold transfers from `start` to `end` (ms, inclusive) with amounts from `low` to `high`. */
  readonly query: (
    start: number,
    end: number,
    low: bigint,
    high: bigint | undefined,
    visit: (list: List, from: number, to: number) => void
  ) => void
}

/** Returns the first position in `[from, to)` whose rank is not below `rank`. */
const firstRank = (ranks: Int32Array, from: number, to: number, rank: number): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(ranks, middle) < rank) low = middle + 1
    else high = middle
  }
  return low
}

const merged = (below: Level, half: number): Level => {
  const { items } = below.list
  const size = items.length
  const nextItems = new Int32Array(size)
  const nextRanks = new Int32Array(size)
  for (let start = 0; start < size; start += 2 * half) {
    const middle = Math.min(start + half, size)
    const end = Math.min(middle + half, size)
    let left = start
    let right = middle
    for (let position = start; position < end; position++) {
      const takeLeft = right >= end || (left < middle && at(below.ranks, left) <= at(below.ranks, right))
      const source = takeLeft ? left++ : right++
      nextItems[position] = at(items, source)
      nextRanks[position] = at(below.ranks, source)
    }
  }
  return { list: list(nextItems), ranks: nextRanks }
}

/** Makes the index. `indices` are in order of time; `amounts` gives the amount of each in units of one scale. */
export const make = (
  times: Float64Array,
  indices: Int32Array,
  amounts: (index: number) => bigint
): AmountIndex => {
  const units = Array.from(indices, amounts)
  const order = units.map((_, position) => position).toSorted((a, b) => {
    const [left, right] = [item(units, a), item(units, b)]
    return left < right ? -1 : left > right ? 1 : a - b
  })
  const sorted = order.map((position) => item(units, position))
  const ranks = new Int32Array(indices.length)
  order.forEach((position, rank) => (ranks[position] = rank))

  const levels: Array<Level> = [{ list: list(indices), ranks }]
  for (let half = 1; half < indices.length; half *= 2) levels.push(merged(item(levels, levels.length - 1), half))

  /** Returns how many amounts are below `bound`, or with `inclusive` how many are not above it. */
  const rankOf = (bound: bigint, inclusive: boolean): number => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const amount = item(sorted, middle)
      if (amount < bound || (inclusive && amount === bound)) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    query: (start, end, low, high, visit) => {
      const lowRank = rankOf(low, false)
      const highRank = high === undefined ? sorted.length : rankOf(high, true)
      if (lowRank >= highRank) return
      let position = firstNotBefore(times, indices, start)
      const last = firstNotBefore(times, indices, end + 1)
      while (position < last) {
        let depth = 0
        let size = 1
        while (position % (size * 2) === 0 && position + size * 2 <= last) {
          size *= 2
          depth++
        }
        const level = item(levels, depth)
        const from = firstRank(level.ranks, position, position + size, lowRank)
        const to = firstRank(level.ranks, from, position + size, highRank)
        if (from < to) visit(level.list, from, to)
        position += size
      }
    }
  }
}
