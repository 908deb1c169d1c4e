/** Chooses which members of interchangeable amounts to name: those of the sets that are least spread in time. */
import { f64, i32 } from "../Column.ts"
import * as AmountClasses from "./AmountClasses.ts"
import type { Cover } from "./Halves.ts"

/** Candidates in ascending order, which is the order of time. */
export type Members = Int32Array

const named = 3

/** Orders sets by the number of members, then by spread in time, then by the first candidates. */
const compare = (times: Float64Array, a: Members, b: Members): number => {
  if (a.length !== b.length) return a.length - b.length
  const order = spread(times, a) - spread(times, b)
  if (order !== 0) return order
  for (let place = 0; place < a.length; place++) {
    const step = i32(a, place) - i32(b, place)
    if (step !== 0) return step
  }
  return 0
}

const spread = (times: Float64Array, set: Members): number =>
  set.length === 0 ? 0 : f64(times, i32(set, set.length - 1)) - f64(times, i32(set, 0))

export interface Smallest {
  /** Keeps a set if it is among the three smallest so far. Returns whether it did. */
  readonly offer: (set: Members) => boolean
  readonly sets: () => ReadonlyArray<Members>
}

export const smallest = (times: Float64Array): Smallest => {
  const kept: Array<Members> = []
  return {
    offer: (set) => {
      let place = kept.length
      for (; place > 0; place--) {
        const other = kept[place - 1]
        if (other === undefined) break
        const order = compare(times, set, other)
        if (order === 0) return false
        if (order > 0) break
      }
      if (place >= named) return false
      kept.splice(place, 0, set)
      kept.length = Math.min(kept.length, named)
      return true
    },
    sets: () => kept.slice()
  }
}

/** Returns the number of ways to choose the members of a cover, up to the largest safe integer. */
export const ways = (classes: AmountClasses.Classes, cover: Cover): number => {
  let product = 1n
  for (const { class: index, copies } of cover) product *= binomial(AmountClasses.size(classes, index), copies)
  return Math.min(Number(product), Number.MAX_SAFE_INTEGER)
}

const binomial = (of: number, taken: number): bigint => {
  let product = 1n
  for (let step = 1; step <= taken; step++) product = (product * BigInt(of - taken + step)) / BigInt(step)
  return product
}

/** Returns the number of candidates in the classes of a cover. */
export const breadth = (classes: AmountClasses.Classes, cover: Cover): number =>
  cover.reduce((sum, share) => sum + AmountClasses.size(classes, share.class), 0)

/**
 * Offers at least the three smallest of the sets that a cover stands for. With a given first member, the best set takes the
 * members that come next in every class. Steps lead from it to any other set: each step moves one member to the next of its
 * class and makes the set worse. So the three best sets with this first member are at most two steps away.
 */
export const offer = (classes: AmountClasses.Classes, cover: Cover, into: Smallest): void => {
  const { members, start } = classes
  /** Turns places in `members` into a set, its members in ascending order. */
  const setOf = (places: ReadonlyArray<number>): Members =>
    Int32Array.from(places, (place) => i32(members, place)).toSorted()

  const startingWith = (first: number, own: number): ReadonlyArray<number> | undefined => {
    const places: Array<number> = []
    for (const { class: index, copies } of cover) {
      const from = index === own ? first : placeBehind(classes, index, i32(members, first))
      if (from + copies > i32(start, index + 1)) return undefined
      for (let place = from; place < from + copies; place++) places.push(place)
    }
    return places
  }

  const steps = (places: ReadonlyArray<number>, first: number): ReadonlyArray<ReadonlyArray<number>> =>
    places.flatMap((place, position) => {
      const isTaken = place === first || places.includes(place + 1) || isLast(classes, cover, place)
      return isTaken ? [] : [places.with(position, place + 1)]
    })

  for (const { class: own } of cover) {
    for (let first = i32(start, own); first < i32(start, own + 1); first++) {
      const best = startingWith(first, own)
      if (best === undefined) break
      if (!into.offer(setOf(best))) continue
      for (const second of steps(best, first)) {
        into.offer(setOf(second))
        for (const third of steps(second, first)) into.offer(setOf(third))
      }
    }
  }
}

const isLast = ({ start }: AmountClasses.Classes, cover: Cover, place: number): boolean =>
  cover.some((share) => place === i32(start, share.class + 1) - 1)

/** Finds the place of the first member of a class that comes after a candidate. */
const placeBehind = ({ members, start }: AmountClasses.Classes, index: number, candidate: number): number => {
  let low = i32(start, index)
  let high = i32(start, index + 1)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (i32(members, middle) <= candidate) low = middle + 1
    else high = middle
  }
  return low
}
