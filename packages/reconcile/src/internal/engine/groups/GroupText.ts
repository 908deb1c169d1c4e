/** Writes the members of groups as facts of outcomes. */
import type * as Entry from "../../../Entry.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import type { Amounts } from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { Place } from "./GroupTargets.ts"

/** The largest number of members whose ids are told. */
const NAMED = 5

/** The number of members of a set that are listed as candidates. */
const LISTED = 20

export const entryOf = (ledger: Ledger, { index, side }: Place): Entry.Entry => item(ledger[`${side}s`].entries, index)

/** Returns the ids of members for the facts of an outcome. If there are many, only their number is told. */
export const ids = (ledger: Ledger, side: Entry.Side, indices: ArrayLike<number>): ReadonlyArray<string> =>
  indices.length > NAMED ? [] : Array.from(indices, (index) => entryOf(ledger, { side, index }).id)

/** Adds up the amounts of entries of a side. */
export const sum = (amounts: Amounts, side: Entry.Side, indices: ArrayLike<number>): bigint => {
  const units = amounts[side]
  let total = 0n
  for (let place = 0; place < indices.length; place++) total += units(indices[place] ?? 0)
  return total
}

/** Returns the members of some sets as candidates. There are at least `atLeast` sets. */
export const candidates = (
  ledger: Ledger,
  side: Entry.Side,
  sets: ReadonlyArray<Int32Array>,
  atLeast: number
): ReadonlyArray<Candidate> => {
  const memberships = new Map<number, Array<{ readonly size: number; readonly set: number }>>()
  sets.forEach((set, place) => {
    for (const index of set.subarray(0, LISTED)) {
      const membership = { size: set.length, set: place + 1 }
      const known = memberships.get(index)
      if (known === undefined) memberships.set(index, [membership])
      else known.push(membership)
    }
  })
  return Array.from(memberships, ([index, sets]): Candidate => ({
    side,
    id: entryOf(ledger, { side, index }).id,
    because: { code: "in-sets", sets, atLeast }
  }))
}
