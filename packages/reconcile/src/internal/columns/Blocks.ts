/**
 * Transfers of one asset by time and amount at once: blocks of doubling size in order of time, each sorted by amount. What
 * is asked for lies in at most two blocks of a size, as one range of each.
 */
import { f64, i32 } from "../kernel/Column.ts"

/** The transfers in blocks of one size. */
export interface Level {
  /** Positions in order of time. */
  readonly items: Int32Array
  readonly amounts: Float64Array
  /** Leads from a place to the last one of the run that it is known to be connected with. */
  readonly runEnd: Int32Array
}

export interface Blocks {
  /** Calls `visit` with the places of a level that hold positions in `[from, to)` with amounts from `low` to `high`. */
  readonly query: (
    from: number,
    to: number,
    low: number,
    high: number,
    visit: (level: Level, from: number, to: number) => void
  ) => void
}

const places = (size: number): Int32Array => {
  const column = new Int32Array(size)
  for (let place = 0; place < size; place++) column[place] = place
  return column
}

const level = (items: Int32Array, amounts: Float64Array): Level => ({ items, amounts, runEnd: places(items.length) })

/** The first place in `[from, to)` whose amount is not below `amount`; with `beyond`, the first above it. */
const firstPlace = (amounts: Float64Array, from: number, to: number, amount: number, beyond: boolean): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = f64(amounts, middle)
    if (value < amount || (beyond && value === amount)) low = middle + 1
    else high = middle
  }
  return low
}

const merged = ({ amounts, items }: Level, half: number): Level => {
  const size = items.length
  const nextItems = new Int32Array(size)
  const nextAmounts = new Float64Array(size)
  for (let start = 0; start < size; start += 2 * half) {
    const middle = Math.min(start + half, size)
    const end = Math.min(middle + half, size)
    let left = start
    let right = middle
    for (let place = start; place < end; place++) {
      const takeLeft = right >= end || (left < middle && f64(amounts, left) <= f64(amounts, right))
      const source = takeLeft ? left++ : right++
      nextItems[place] = i32(items, source)
      nextAmounts[place] = f64(amounts, source)
    }
  }
  return level(nextItems, nextAmounts)
}

/** `amounts` in order of time. Levels are made when a query is long enough to need them. */
export const make = (amounts: Float64Array): Blocks => {
  const levels = [level(places(amounts.length), amounts)]
  const at = (depth: number): Level => {
    const known = levels[depth]
    if (known !== undefined) return known
    const made = merged(at(depth - 1), 2 ** (depth - 1))
    levels[depth] = made
    return made
  }
  /** The depth of the largest block that begins at a position and ends by `end`. */
  const depthAt = (position: number, end: number): number => {
    let depth = 0
    while ((position & ((2 << depth) - 1)) === 0 && position + (2 << depth) <= end) depth++
    return depth
  }
  return {
    query: (start, end, low, high, visit) => {
      for (let position = start; position < end;) {
        const depth = depthAt(position, end)
        const block = at(depth)
        const next = position + 2 ** depth
        const from = firstPlace(block.amounts, position, next, low, false)
        if (from < next && f64(block.amounts, from) <= high) {
          visit(block, from, firstPlace(block.amounts, from, next, high, true))
        }
        position = next
      }
    }
  }
}

/** The last place that is known to be connected with `place`. */
export const findRunEnd = ({ runEnd }: Level, place: number): number => {
  let current = place
  while (i32(runEnd, current) !== current) {
    const ahead = i32(runEnd, i32(runEnd, current))
    runEnd[current] = ahead
    current = ahead
  }
  return current
}
