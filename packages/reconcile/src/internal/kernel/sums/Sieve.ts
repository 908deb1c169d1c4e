/**
 * Tells whether any set of some sizes could cover, much faster than a search for the sets. The sums of one half of a set are
 * looked up among the sums of the other half, without a check whether the two share a member. A size that this rules out has
 * certainly no covering set.
 */
import { f64, i32 } from "../Column.ts"
import type { Range } from "./Addends.ts"
import * as Chance from "./Chance.ts"

type Answer =
  | { readonly kind: "none" }
  /** There may be a set of that size, and there is no smaller one. */
  | { readonly kind: "perhaps"; readonly size: number }
  /** The budget did not suffice for that size, and there is no smaller set. */
  | { readonly kind: "exhausted"; readonly size: number }

const word = 2 ** 32

const mixed = (cell: number): number => {
  const low = cell >>> 0
  const all = cell < word ? low : low ^ Math.imul((cell / word) | 0, 0x9e3779b1)
  const once = Math.imul(all ^ (all >>> 16), 0x85ebca6b)
  return once ^ (once >>> 15)
}

/** Bits that integers share. An integer whose bit is not set was not added. Their number is a power of two, from 2048. */
type Bits = Int32Array

/** Returns bits that are not set, with room for so many integers, in `before` if it is large enough. */
const cleared = (before: Bits, size: number): Bits => {
  let words = 64
  while (words < size) words *= 2
  return words <= before.length ? before.subarray(0, words).fill(0) : new Int32Array(words)
}

const add = (bits: Bits, cell: number): void => {
  const bit = mixed(cell) & (32 * bits.length - 1)
  bits[bit >>> 5] = i32(bits, bit >>> 5) | (1 << (bit & 31))
}

const mayHave = (bits: Bits, cell: number): boolean => {
  const bit = mixed(cell) & (32 * bits.length - 1)
  return (i32(bits, bit >>> 5) & (1 << (bit & 31))) !== 0
}

/** The sums of all sets of one size; `lasts` has the place of the greatest member of each. */
interface Sums {
  sums: Float64Array
  lasts: Int32Array
  size: number
}

/** Adds one member to each set of `shorter`. There are at most `most` sets. */
const lengthen = (values: Float64Array, shorter: Sums, greatest: number, most: number, longer: Sums): void => {
  if (longer.sums.length < most) {
    longer.sums = new Float64Array(2 * most)
    longer.lasts = new Int32Array(2 * most)
  }
  const { lasts, sums } = longer
  let size = 0
  for (let index = 0; index < shorter.size; index++) {
    const before = f64(shorter.sums, index)
    for (let last = i32(shorter.lasts, index) + 1; last < values.length; last++) {
      const sum = before + f64(values, last)
      if (sum > greatest) break
      sums[size] = sum
      lasts[size] = last
      size++
    }
  }
  longer.size = size
}

/**
 * Sifts the sizes from 2 to `largest`. `amounts` are integers of at least 1, ascending, whose sum is safe. `ranges` gives the
 * accepted sums for a size. A step of the budget is a sum that is made, stored in a cell, or looked up.
 */
export type Sift = (
  amounts: Float64Array,
  ranges: (size: number) => ReadonlyArray<Range>,
  largest: number,
  budget: number
) => Answer

/** Makes a sieve. It is asked for many targets, and uses its room again for each, because new room costs more than a sift. */
export const make = (): Sift => {
  /** Room for the sums of 0, 1, … members. */
  const rooms: Array<Sums> = [{ sums: new Float64Array(1), lasts: Int32Array.of(-1), size: 1 }]
  let roomOfTails: Bits = new Int32Array(64)
  let roomOfHeads: Bits = new Int32Array(64)

  /** Whether a head and a tail come to a sum of the range. The bits have the cells of the tails, each of that width. */
  const meet = (heads: Sums, tails: Sums, tailBits: Bits, { high, low }: Range, width: number): boolean => {
    const found: Array<number> = []
    for (let index = 0; index < heads.size; index++) {
      const head = f64(heads.sums, index)
      if (head > high) continue
      const to = width === 1 ? high - head : Math.floor((high - head) / width)
      for (let cell = width === 1 ? to : Math.max(0, Math.floor((low - head) / width)); cell <= to; cell++) {
        if (mayHave(tailBits, cell)) found.push(cell)
      }
    }
    if (found.length === 0) return false
    // Bits are shared, so the few tails that may be meant are compared.
    const headBits = cleared(roomOfHeads, found.length)
    if (headBits.length > roomOfHeads.length) roomOfHeads = headBits
    for (const cell of found) add(headBits, cell)
    const wanted = new Set(found)
    for (let index = 0; index < tails.size; index++) {
      const tail = f64(tails.sums, index)
      const cell = width === 1 ? tail : Math.floor(tail / width)
      if (mayHave(headBits, cell) && wanted.has(cell)) return true
    }
    return false
  }

  return (amounts, ranges, largest, budget) => {
    let left = budget
    let most = 0
    for (let size = 2; size <= largest; size++) most = Math.max(most, ranges(size).at(-1)?.high ?? 0)
    let count = 0
    while (count < amounts.length && f64(amounts, count) < most) count++
    const values = amounts.subarray(0, count)
    let made = 0
    const sumsOf = (members: number): Sums | undefined => {
      for (; made < members; made++) {
        const shorter = rooms[made]
        const sets = Chance.sets(count, made + 1)
        if (shorter === undefined || sets > left) return undefined
        const longer = (rooms[made + 1] ??= { sums: new Float64Array(0), lasts: new Int32Array(0), size: 0 })
        lengthen(values, shorter, most, sets, longer)
        left -= longer.size
      }
      return rooms[members]
    }

    /** The number of members of the tails that the bits have, and the width of a cell. */
    let tailBits = roomOfTails
    let tailsAre = 0
    let widthIs = 0
    for (let size = 2; size <= Math.min(largest, count); size++) {
      const accepted = ranges(size)
      if (accepted.length === 0) continue
      const width = 1 + accepted.reduce((widest, { high, low }) => Math.max(widest, high - low), 0)
      const few = Math.floor(size / 2)
      const heads = sumsOf(size - few)
      const tails = sumsOf(few)
      if (heads === undefined || tails === undefined) return { kind: "exhausted", size }
      const isMade = few === tailsAre && width === widthIs
      left -= heads.size * accepted.length + (isMade ? 0 : tails.size)
      if (left < 0) return { kind: "exhausted", size }
      if (!isMade) {
        tailBits = cleared(roomOfTails, tails.size)
        if (tailBits.length > roomOfTails.length) roomOfTails = tailBits
        for (let index = 0; index < tails.size; index++) {
          const tail = f64(tails.sums, index)
          add(tailBits, width === 1 ? tail : Math.floor(tail / width))
        }
      }
      tailsAre = few
      widthIs = width
      for (const range of accepted) if (meet(heads, tails, tailBits, range, width)) return { kind: "perhaps", size }
    }
    return { kind: "none" }
  }
}
