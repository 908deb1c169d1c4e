/**
 * Finds where one side of a staircase is in surplus (the Dulmage-Mendelsohn decomposition, one side at a time). `entries`
 * are the entries that some maximum matching leaves free. `others` are their candidates, and every maximum matching matches
 * all of these with `entries`. No maximum matching has an edge that leaves the surplus.
 */
import { i32 } from "../Column.ts"
import { type Ranges } from "./Staircase.ts"

export interface Surplus {
  readonly entries: Uint8Array
  readonly others: Uint8Array
}

/** Finds the smallest unvisited position from `start` on, and halves the path on its way. */
const unvisited = (next: Int32Array, start: number): number => {
  let position = start
  while (i32(next, position) !== position) {
    const skipped = i32(next, i32(next, position))
    next[position] = skipped
    position = skipped
  }
  return position
}

/**
 * Finds the entries that alternating paths reach from the free ones. `partner` and `inverse` are a maximum matching, as seen
 * from the entries and from the others. Each of the others is visited once, so the time is nearly linear, however dense the
 * window is.
 */
export const surplus = (ranges: Ranges, partner: Int32Array, inverse: Int32Array): Surplus => {
  const entries = new Uint8Array(partner.length)
  const others = new Uint8Array(inverse.length)
  const next = Int32Array.from({ length: inverse.length + 1 }, (_, position) => position)
  const open = new Int32Array(partner.length)
  let size = 0
  for (let entry = 0; entry < partner.length; entry++) {
    if (i32(partner, entry) >= 0) continue
    entries[entry] = 1
    open[size++] = entry
  }
  while (size > 0) {
    const entry = i32(open, --size)
    const end = i32(ranges.to, entry)
    for (let other = unvisited(next, i32(ranges.from, entry)); other < end; other = unvisited(next, other)) {
      next[other] = other + 1
      others[other] = 1
      const mate = i32(inverse, other)
      if (entries[mate] === 1) continue
      entries[mate] = 1
      open[size++] = mate
    }
  }
  return { entries, others }
}
