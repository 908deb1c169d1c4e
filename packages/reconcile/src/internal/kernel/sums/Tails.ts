/**
 * The smaller halves of covering sets, ordered by their sums. A set is cut in the order of amounts, the largest first: its
 * tail begins after the class in which its larger half ends. So every set has exactly one head and one tail.
 */
import { f64, i32 } from "../Column.ts"
import * as AmountClasses from "./AmountClasses.ts"
import type { Budget } from "./Budget.ts"
import * as Order from "./Order.ts"

/** A number of members of one class. */
export interface Share {
  readonly class: number
  readonly copies: number
}

/** All tails with the same number of members. */
export interface Tails {
  /** The sums of the tails, ascending. */
  readonly sums: Float64Array
  /** The class of the largest member of each tail, in the order of the sums. */
  readonly firsts: Int32Array
  readonly order: Int32Array
  readonly made: Made
}

/** Tails in the order in which they were made. Each is some copies of its first class, in front of a shorter tail. */
interface Made {
  readonly sums: Float64Array
  readonly first: Int32Array
  readonly copies: Int32Array
  readonly rest: Int32Array
}

const sorted = (made: Made): Tails => {
  const order = Order.ascending(made.sums)
  return {
    sums: Float64Array.from(order, (tail) => f64(made.sums, tail)),
    firsts: Int32Array.from(order, (tail) => i32(made.first, tail)),
    order,
    made
  }
}

/** Makes the only tail without members. */
export const empty = ({ values }: AmountClasses.Classes): Tails =>
  sorted({
    sums: new Float64Array(1),
    first: Int32Array.of(values.length),
    copies: new Int32Array(1),
    rest: Int32Array.of(-1)
  })

/** Doubles the room. */
const grown = ({ copies, first, rest, sums }: Made): Made => {
  const room = Math.max(64, 2 * sums.length)
  const larger = {
    sums: new Float64Array(room),
    first: new Int32Array(room),
    copies: new Int32Array(room),
    rest: new Int32Array(room)
  }
  larger.sums.set(sums)
  larger.first.set(first)
  larger.copies.set(copies)
  larger.rest.set(rest)
  return larger
}

const cut = ({ copies, first, rest, sums }: Made, size: number): Made => ({
  sums: sums.slice(0, size),
  first: first.slice(0, size),
  copies: copies.slice(0, size),
  rest: rest.slice(0, size)
})

/**
 * Makes the tails with one member more than the longest of `shorter`, which lists the tails of 0, 1, … members. It leaves out
 * a tail that sums to more than `most` together with the least of as many members of larger classes. Returns `undefined`
 * when the budget does not suffice.
 */
export const next = (
  classes: AmountClasses.Classes,
  shorter: ReadonlyArray<Tails>,
  most: number,
  budget: Budget
): Tails | undefined => {
  const { start, sums, values } = classes
  const members = shorter.length
  let made: Made = {
    sums: new Float64Array(0),
    first: new Int32Array(0),
    copies: new Int32Array(0),
    rest: new Int32Array(0)
  }
  let size = 0
  for (let copies = 1; copies <= members; copies++) {
    const rests = shorter[members - copies]
    if (rests === undefined) continue
    for (let rest = 0; rest < rests.made.sums.length; rest++) {
      for (let first = i32(rests.made.first, rest) - 1; first >= 0; first--) {
        const before = i32(start, first)
        const sum = f64(rests.made.sums, rest) + copies * f64(values, first)
        // A head has members of larger classes, at least as many as the tail has.
        if (before < members) break
        if (sum + (f64(sums, before) - f64(sums, before - members)) > most) break
        if (!budget.spend(1)) return undefined
        if (copies > AmountClasses.size(classes, first)) continue
        if (size === made.sums.length) made = grown(made)
        made.sums[size] = sum
        made.first[size] = first
        made.copies[size] = copies
        made.rest[size] = rest
        size++
      }
    }
  }
  return sorted(cut(made, size))
}

/** Returns the shares of the tail at a place in the order of the sums. */
export const shares = (all: ReadonlyArray<Tails>, members: number, place: number): ReadonlyArray<Share> => {
  const found: Array<Share> = []
  let tails = all[members]
  let left = members
  let tail = tails === undefined ? -1 : i32(tails.order, place)
  while (tails !== undefined && left > 0) {
    const copies = i32(tails.made.copies, tail)
    found.push({ class: i32(tails.made.first, tail), copies })
    tail = i32(tails.made.rest, tail)
    left -= copies
    tails = all[left]
  }
  return found
}
