/**
 * The candidate graph of entries that only a time window keeps apart. With both sides in time order, the candidates of an
 * entry are a range of the other side, and both ends of that range never fall from one entry to the next: this is the
 * staircase. The edges are never listed.
 */
import { f64, i32 } from "../Column.ts"

/** For each entry, the half-open range of its candidates on the other side. */
export interface Ranges {
  readonly from: Int32Array
  readonly to: Int32Array
}

/** Finds the candidates of each entry: `-before <= other - time <= after`. Both columns ascend. Takes linear time. */
export const ranges = (times: Float64Array, others: Float64Array, before: number, after: number): Ranges => {
  const from = new Int32Array(times.length)
  const to = new Int32Array(times.length)
  let first = 0
  let end = 0
  for (let entry = 0; entry < times.length; entry++) {
    const time = f64(times, entry)
    while (first < others.length && f64(others, first) < time - before) first++
    while (end < others.length && f64(others, end) <= time + after) end++
    from[entry] = first
    to[entry] = end
  }
  return { from, to }
}

/** Both sides in time order, and the candidates of the entries of each side. */
export interface Staircase {
  readonly deposits: Float64Array
  readonly transfers: Float64Array
  readonly ofDeposit: Ranges
  readonly ofTransfer: Ranges
}

/** Makes the staircase of the candidates `-before <= transfer - deposit <= after`. */
export const make = (deposits: Float64Array, transfers: Float64Array, before: number, after: number): Staircase => ({
  deposits,
  transfers,
  ofDeposit: ranges(deposits, transfers, before, after),
  ofTransfer: ranges(transfers, deposits, after, before)
})

export const contains = (ranges: Ranges, entry: number, other: number): boolean =>
  i32(ranges.from, entry) <= other && other < i32(ranges.to, entry)

/**
 * Matches first in, first out, and returns the partner of each entry, or -1. This is a maximum matching, because the crossings
 * of a maximum matching can be undone, and a matching without crossings can be moved to the earliest candidates.
 */
export const firstInFirstOut = (ranges: Ranges): Int32Array => {
  const partner = new Int32Array(ranges.from.length).fill(-1)
  let next = 0
  for (let entry = 0; entry < partner.length; entry++) {
    next = Math.max(next, i32(ranges.from, entry))
    if (next < i32(ranges.to, entry)) partner[entry] = next++
  }
  return partner
}

/** Returns the same matching as seen from the other side. */
export const inverse = (partner: Int32Array, others: number): Int32Array => {
  const inverted = new Int32Array(others).fill(-1)
  for (let entry = 0; entry < partner.length; entry++) {
    const other = i32(partner, entry)
    if (other >= 0) inverted[other] = entry
  }
  return inverted
}
