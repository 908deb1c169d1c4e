/** Splits the rest of a class, without the stated pairs, into connected components. */
import { i32, indicesWhere, take } from "../Column.ts"
import { inverse, ranges } from "./Staircase.ts"

/** The whole class and its window. */
interface Window {
  readonly deposits: Float64Array
  readonly transfers: Float64Array
  readonly before: number
  readonly after: number
}

/**
 * Entries that are connected by candidates, as ascending indices into the input, and the number of pairs that they
 * certainly contain.
 */
export interface Component {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  readonly matched: number
}

/**
 * Finds the connected components of the candidate graph among the entries that are not stated. The optimum without the stated
 * pairs is a maximum matching of these entries: a larger matching, together with the stated pairs, would exceed the maximum
 * of the whole.
 */
export const regroup = (
  window: Window,
  partner: Int32Array,
  stated: Int32Array
): ReadonlyArray<Component> => {
  const deposits = indicesWhere(stated, -1)
  const transfers = indicesWhere(inverse(stated, window.transfers.length), -1)
  const { from, to } = ranges(
    take(window.deposits, deposits),
    take(window.transfers, transfers),
    window.before,
    window.after
  )
  const components: Array<Component> = []
  let entry = 0
  while (entry < deposits.length) {
    const first = entry
    const firstTransfer = i32(from, first)
    let end = i32(to, first)
    let matched = 0
    // A deposit without candidates has an empty range, which connects to no other range.
    do {
      end = i32(to, entry)
      if (i32(partner, i32(deposits, entry)) >= 0) matched++
      entry++
    } while (entry < deposits.length && i32(from, entry) < end)
    if (end > firstTransfer) {
      components.push({
        deposits: deposits.subarray(first, entry),
        transfers: transfers.subarray(firstTransfer, end),
        matched
      })
    }
  }
  return components
}
