/**
 * Tells whether any set of some sizes could cover, much faster than a search for the sets. The sums of one half of a set are
 * looked up among the sums of the other half, without a check whether the two share a member. A size that this rules out has
 * certainly no covering set.
 */
import { f64 } from "../Column.ts"
import type { Range } from "./Addends.ts"
import * as Chance from "./Chance.ts"

export type Answer =
  | { readonly kind: "none" }
  /** There may be a set of that size, and there is no smaller one. */
  | { readonly kind: "perhaps"; readonly size: number }
  /** The budget did not suffice for that size, and there is no smaller set. */
  | { readonly kind: "exhausted"; readonly size: number }

/** A set of integers from 0. */
interface Cells {
  readonly has: (cell: number) => boolean
}

const word = 2 ** 32

const mixed = (cell: number): number => {
  const low = cell >>> 0
  const all = cell < word ? low : low ^ Math.imul((cell / word) | 0, 0x9e3779b1)
  const once = Math.imul(all ^ (all >>> 16), 0x85ebca6b)
  return once ^ (once >>> 15)
}

const cellsOf = (sums: Float64Array, width: number): Cells => {
  let room = 16
  while (room < 2 * sums.length) room *= 2
  const mask = room - 1
  /** Each cell plus one, so that 0 marks a free place. */
  const table = new Float64Array(room)
  /** A bit that many integers share. It rules out most of them at one look. */
  const seen = new Int32Array(room)
  const bits = 32 * room
  for (let index = 0; index < sums.length; index++) {
    const sum = f64(sums, index)
    const cell = width === 1 ? sum : Math.floor(sum / width)
    const hash = mixed(cell)
    const bit = hash & (bits - 1)
    seen[bit >>> 5] = (seen[bit >>> 5] ?? 0) | (1 << (bit & 31))
    let place = hash & mask
    while (table[place] !== 0 && table[place] !== cell + 1) place = (place + 1) & mask
    table[place] = cell + 1
  }
  return {
    has: (cell) => {
      const hash = mixed(cell)
      const bit = hash & (bits - 1)
      if (((seen[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
      let place = hash & mask
      while (table[place] !== 0) {
        if (table[place] === cell + 1) return true
        place = (place + 1) & mask
      }
      return false
    }
  }
}

const hasAny = (cells: Cells, heads: Float64Array, { high, low }: Range, width: number): boolean => {
  for (let index = 0; index < heads.length; index++) {
    const head = f64(heads, index)
    if (head > high) continue
    if (width === 1) {
      if (cells.has(high - head)) return true
      continue
    }
    const to = Math.floor((high - head) / width)
    for (let cell = Math.max(0, Math.floor((low - head) / width)); cell <= to; cell++) if (cells.has(cell)) return true
  }
  return false
}

/** The sums of all sets of one size; `lasts` has the place of the greatest member of each. */
interface Sums {
  readonly sums: Float64Array
  readonly lasts: Int32Array
}

const longer = (values: Float64Array, { lasts, sums }: Sums, most: number, room: number): Sums => {
  const next = new Float64Array(room)
  const nextLasts = new Int32Array(room)
  let size = 0
  for (let index = 0; index < sums.length; index++) {
    for (let last = (lasts[index] ?? 0) + 1; last < values.length; last++) {
      const sum = f64(sums, index) + f64(values, last)
      if (sum > most) break
      next[size] = sum
      nextLasts[size] = last
      size++
    }
  }
  return { sums: next.subarray(0, size), lasts: nextLasts.subarray(0, size) }
}

/**
 * Sifts the sizes from 2 to `largest`. `amounts` are integers of at least 1 whose sum is safe, and `ranges` gives the accepted
 * sums for a size. A step of the budget is a sum that is made, stored in a cell, or looked up.
 */
export const sift = (
  amounts: Float64Array,
  ranges: (size: number) => ReadonlyArray<Range>,
  largest: number,
  budget: number
): Answer => {
  let left = budget
  let most = 0
  for (let size = 2; size <= largest; size++) most = Math.max(most, ranges(size).at(-1)?.high ?? 0)
  const values = amounts.filter((amount) => amount < most).toSorted()
  const byMembers: Array<Sums> = [{ sums: new Float64Array(1), lasts: Int32Array.of(-1) }]
  const sumsOf = (members: number): Float64Array | undefined => {
    for (let known = byMembers.at(-1); known !== undefined && byMembers.length <= members;) {
      const room = Chance.sets(values.length, byMembers.length)
      if (room > left) return undefined
      const made = longer(values, known, most, room)
      left -= made.sums.length
      byMembers.push(made)
      known = made
    }
    return byMembers[members]?.sums
  }

  let cells: Cells | undefined
  let cellsAre = ""
  for (let size = 2; size <= Math.min(largest, values.length); size++) {
    const accepted = ranges(size)
    if (accepted.length === 0) continue
    const width = 1 + accepted.reduce((widest, { high, low }) => Math.max(widest, high - low), 0)
    const few = Math.floor(size / 2)
    const heads = sumsOf(size - few)
    const tails = sumsOf(few)
    if (heads === undefined || tails === undefined) return { kind: "exhausted", size }
    const cellsWanted = `${few} ${width}`
    const isMade = cells !== undefined && cellsAre === cellsWanted
    left -= heads.length * accepted.length + (isMade ? 0 : tails.length)
    if (left < 0) return { kind: "exhausted", size }
    if (cells === undefined || !isMade) cells = cellsOf(tails, width)
    cellsAre = cellsWanted
    for (const range of accepted) if (hasAny(cells, heads, range, width)) return { kind: "perhaps", size }
  }
  return { kind: "none" }
}
