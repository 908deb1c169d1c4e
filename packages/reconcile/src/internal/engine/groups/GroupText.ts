/** Groups in words. */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import type { Amounts } from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as Words from "../Words.ts"
import type { Place } from "./GroupTargets.ts"

/** How many members are named one by one. */
const NAMED = 5

/** How many members of a set are listed as candidates. */
const LISTED = 20

export const entryOf = (ledger: Ledger, { index, side }: Place): Entry.Entry => item(ledger[`${side}s`].entries, index)

/** `Transfer t1 of 3 BTC`. */
export const target = (ledger: Ledger, place: Place): string => {
  const entry = entryOf(ledger, place)
  return `${Words.side(place.side)} ${entry.id} of ${Words.money(entry)}`
}

/** `deposits d1, d2 and d3`, or `27 deposits`. */
export const members = (ledger: Ledger, side: Entry.Side, indices: ArrayLike<number>): string => {
  if (indices.length > NAMED) return Words.count(indices.length, side)
  const ids = Array.from(indices, (index) => entryOf(ledger, { side, index }).id)
  return ids.length === 1 ? `${side} ${ids.join()}` : `${side}s ${ids.slice(0, -1).join(", ")} and ${ids.at(-1)}`
}

/** What some entries of a side sum to. */
export const sum = (amounts: Amounts, side: Entry.Side, indices: ArrayLike<number>): bigint => {
  const units = amounts[side]
  let total = 0n
  for (let place = 0; place < indices.length; place++) total += units(indices[place] ?? 0)
  return total
}

/** The members of some sets as candidates: `one of 4 in set 1 of 12`. */
export const candidates = (
  ledger: Ledger,
  side: Entry.Side,
  sets: ReadonlyArray<Int32Array>,
  of: string
): ReadonlyArray<Outcome.Candidate> => {
  const reasons = new Map<number, Array<string>>()
  sets.forEach((set, place) => {
    for (const index of set.subarray(0, LISTED)) {
      const reason = `one of ${set.length} in set ${place + 1} of ${of}`
      const known = reasons.get(index)
      if (known === undefined) reasons.set(index, [reason])
      else known.push(reason)
    }
  })
  return Array.from(reasons, ([index, parts]): Outcome.Candidate => ({
    side,
    id: entryOf(ledger, { side, index }).id,
    reason: parts.join(", ")
  }))
}
