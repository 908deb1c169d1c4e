/** Tells whether one of some entries lies near another in time, within one group of assets or one class of equal amounts. */
import type * as Entry from "../../../Entry.ts"
import { at, lowerBound } from "./Column.ts"
import type * as Ledger from "./Ledger.ts"

/** Whether one of them lies so near that the two, or both with a third, may be compared. */
export type TimeIndex = (side: Entry.Side, index: number) => boolean

const sides = ["deposit", "transfer"] as const

/**
 * Returns how far the comparison of two entries may look, in ms. Whether an entry is alone with another in its window depends
 * on the windows of both.
 */
export const reach = (ledger: Ledger.Ledger, group: number): number => {
  const { after, before } = ledger.widest(group)
  return Math.abs(before) + Math.abs(after)
}

/**
 * Makes the index of entries that `isOne` accepts and that share the key; the key `account` means equal amounts of one
 * account. If `farthest` is given, it looks no farther than that many ms.
 */
export const make = (
  ledger: Ledger.Ledger,
  isOne: (side: Entry.Side, index: number) => boolean,
  key: "group" | "amountClass" | "account",
  farthest?: number
): TimeIndex => {
  const accounts = ledger.accounts.length + 1
  const keyOf = ({ account, amountClass, [key]: keys }: Ledger.Side, index: number): number =>
    key === "account" ? at(amountClass, index) * accounts + at(account, index) + 1 : at(keys, index)
  const times = new Map<number, Array<number>>()
  for (const side of sides) {
    const own = ledger[`${side}s`]
    const { at: time } = own
    for (let index = 0; index < time.length; index++) {
      if (!isOne(side, index)) continue
      const known = times.get(keyOf(own, index))
      if (known === undefined) times.set(keyOf(own, index), [at(time, index)])
      else known.push(at(time, index))
    }
  }
  const sorted = new Map(Array.from(times, ([group, known]) => [group, Float64Array.from(known).toSorted()] as const))
  return (side, index) => {
    const own = ledger[`${side}s`]
    const { at: time, group } = own
    const near = sorted.get(keyOf(own, index))
    if (near === undefined) return false
    const far = farthest ?? reach(ledger, at(group, index))
    const first = lowerBound(near, at(time, index) - far)
    return first < near.length && at(near, first) <= at(time, index) + far
  }
}
