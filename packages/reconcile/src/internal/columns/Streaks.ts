/**
 * Entries of one asset and amount that follow each other so closely that candidates may connect them, found in one sweep
 * over time. Only what is still within reach is kept in a hash table, so that it stays small whatever the run.
 */
import { f64, i32 } from "../kernel/Column.ts"
import type { Sorted } from "./Sorted.ts"

/** Open addressing. What belongs to a slot lies together, in one line of the cache. */
interface Table {
  readonly capacity: number
  /** Four a slot: the amount, the time of the latest entry, and the room of the four integers. */
  readonly keys: Float64Array
  /** Eight a slot, the last four in use: the asset plus one (0 = empty), the latest entry, how many deposits and transfers. */
  readonly marks: Int32Array
}

/**
 * Entries have one number here: deposits, then transfers. `previous` leads from an entry to the one before it in its streak,
 * or to -1; `last` is the latest.
 */
type Finish = (previous: Int32Array, last: number, deposits: number, transfers: number) => void

const least = 1 << 12

const empty = (capacity: number): Table => {
  const keys = new Float64Array(4 * capacity)
  return { capacity, keys, marks: new Int32Array(keys.buffer) }
}

const hash = (asset: number, amount: number): number => {
  const high = Math.imul((amount / 4_294_967_296) | 0, 0x85eb_ca6b)
  const mixed = Math.imul((amount | 0) ^ high ^ Math.imul(asset, 0xc2b2_ae35), 0x9e37_79b1)
  return mixed ^ (mixed >>> 15)
}

/**
 * Calls `finish` once for every streak that holds entries of both sides. Neighbours in a streak are at most `reach` ms
 * apart: with `reach` the longest |lag| of the window, whatever candidates connect is in one streak, since all entries of
 * the amount between two candidates are nearer to each other than these are.
 */
export const sweep = (deposits: Sorted, transfers: Sorted, reach: number, finish: Finish): void => {
  const lefts = deposits.at.length
  const rights = transfers.at.length
  const previous = new Int32Array(lefts + rights).fill(-1)
  let { capacity, keys, marks } = empty(least)
  let spare = empty(least)
  let used = 0

  const end = (mark: number): void => {
    const inDeposits = i32(marks, mark + 2)
    const inTransfers = i32(marks, mark + 3)
    if (inDeposits > 0 && inTransfers > 0) finish(previous, i32(marks, mark + 1), inDeposits, inTransfers)
  }

  /** Ends what is out of reach of `now`, and moves the rest to where there is room. */
  const compact = (now: number): void => {
    const next = spare
    const mask = next.capacity - 1
    next.marks.fill(0)
    let live = 0
    for (let slot = 0; slot < capacity; slot++) {
      const asset = i32(marks, 8 * slot + 4)
      if (asset === 0) continue
      if (f64(keys, 4 * slot + 1) < now - reach) {
        end(8 * slot + 4)
        continue
      }
      live++
      let place = hash(asset - 1, f64(keys, 4 * slot)) & mask
      while (i32(next.marks, 8 * place + 4) !== 0) place = (place + 1) & mask
      next.keys[4 * place] = f64(keys, 4 * slot)
      next.keys[4 * place + 1] = f64(keys, 4 * slot + 1)
      for (let field = 4; field < 8; field++) next.marks[8 * place + field] = i32(marks, 8 * slot + field)
    }
    // Where little room was won, the next time moves to twice as much.
    const isTight = live > next.capacity / 4
    spare = isTight
      ? empty(2 * next.capacity)
      : next.capacity > capacity
      ? empty(next.capacity)
      : { capacity, keys, marks }
    capacity = next.capacity
    keys = next.keys
    marks = next.marks
    used = live
  }

  let left = 0
  let right = 0
  while (left < lefts || right < rights) {
    const isDeposit = right >= rights || (left < lefts && f64(deposits.at, left) <= f64(transfers.at, right))
    const side = isDeposit ? deposits : transfers
    const index = isDeposit ? left++ : right++
    const entry = isDeposit ? index : lefts + index
    const amount = f64(side.amount, index)
    const asset = i32(side.asset, index)
    const time = f64(side.at, index)
    const mask = capacity - 1
    let slot = hash(asset, amount) & mask
    let found = i32(marks, 8 * slot + 4)
    while (found !== 0 && (found !== asset + 1 || f64(keys, 4 * slot) !== amount)) {
      slot = (slot + 1) & mask
      found = i32(marks, 8 * slot + 4)
    }
    const mark = 8 * slot + 4
    const field = mark + (isDeposit ? 2 : 3)
    if (found !== 0 && time - f64(keys, 4 * slot + 1) <= reach) {
      previous[entry] = i32(marks, mark + 1)
      marks[field] = i32(marks, field) + 1
    } else {
      if (found !== 0) end(mark)
      else used++
      keys[4 * slot] = amount
      marks[mark] = asset + 1
      marks[mark + 2] = 0
      marks[mark + 3] = 0
      marks[field] = 1
    }
    keys[4 * slot + 1] = time
    marks[mark + 1] = entry
    if (2 * used > capacity) compact(time)
  }
  compact(Number.POSITIVE_INFINITY)
}
