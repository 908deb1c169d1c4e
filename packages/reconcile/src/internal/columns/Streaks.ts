/**
 * Entries of one asset and amount that follow each other so closely that candidates may connect them, found in one sweep
 * over time. Only what is still within reach is kept in a hash table, so that it stays small whatever the run.
 */
import { f64, i32 } from "../kernel/Column.ts"
import type { Sorted } from "./Sorted.ts"

/** Open addressing; two columns, one line of the cache each. */
interface Table {
  readonly capacity: number
  /** Per slot, the amount and the time of the latest entry. */
  readonly keys: Float64Array
  /** Per slot, the asset plus one (0 = empty), the latest entry, and how many deposits and transfers there are. */
  readonly marks: Int32Array
}

/**
 * Entries have one number here: deposits, then transfers. `previous` leads from an entry to the one before it in its streak,
 * or to -1; `last` is the latest.
 */
type Finish = (previous: Int32Array, last: number, deposits: number, transfers: number) => void

const least = 1 << 12

const empty = (capacity: number): Table => ({
  capacity,
  keys: new Float64Array(2 * capacity),
  marks: new Int32Array(4 * capacity)
})

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
  const [lefts, rights] = [deposits.at.length, transfers.at.length]
  const previous = new Int32Array(lefts + rights).fill(-1)
  let table = empty(least)
  let spare = empty(least)
  let used = 0

  const end = (marks: Int32Array, mark: number): void => {
    const [inDeposits, inTransfers] = [i32(marks, mark + 2), i32(marks, mark + 3)]
    if (inDeposits > 0 && inTransfers > 0) finish(previous, i32(marks, mark + 1), inDeposits, inTransfers)
  }

  /** Ends what is out of reach of `now`, and gives the rest room. */
  const compact = (now: number): void => {
    const { capacity, keys, marks } = table
    let live = 0
    for (let slot = 0; slot < capacity; slot++) {
      if (i32(marks, 4 * slot) === 0) continue
      if (f64(keys, 2 * slot + 1) < now - reach) {
        end(marks, 4 * slot)
        marks[4 * slot] = 0
      } else live++
    }
    const roomy = live > capacity / 4 ? empty(2 * capacity) : spare
    roomy.marks.fill(0)
    const mask = roomy.capacity - 1
    for (let slot = 0; slot < capacity; slot++) {
      const asset = i32(marks, 4 * slot)
      if (asset === 0) continue
      let place = hash(asset - 1, f64(keys, 2 * slot)) & mask
      while (i32(roomy.marks, 4 * place) !== 0) place = (place + 1) & mask
      roomy.keys[2 * place] = f64(keys, 2 * slot)
      roomy.keys[2 * place + 1] = f64(keys, 2 * slot + 1)
      for (let field = 0; field < 4; field++) roomy.marks[4 * place + field] = i32(marks, 4 * slot + field)
    }
    spare = roomy.capacity === capacity ? table : empty(roomy.capacity)
    table = roomy
    used = live
  }

  let left = 0
  let right = 0
  while (left < lefts || right < rights) {
    const isDeposit = right >= rights || (left < lefts && f64(deposits.at, left) <= f64(transfers.at, right))
    const index = isDeposit ? left++ : right++
    const { amount: amounts, asset: assets, at: times } = isDeposit ? deposits : transfers
    const [amount, asset, time] = [f64(amounts, index), i32(assets, index), f64(times, index)]
    const entry = isDeposit ? index : lefts + index
    const { keys, marks } = table
    const mask = table.capacity - 1
    let slot = hash(asset, amount) & mask
    let found = i32(marks, 4 * slot)
    while (found !== 0 && (found !== asset + 1 || f64(keys, 2 * slot) !== amount)) {
      slot = (slot + 1) & mask
      found = i32(marks, 4 * slot)
    }
    const mark = 4 * slot
    const isNew = found === 0 || time - f64(keys, 2 * slot + 1) > reach
    if (isNew) {
      if (found !== 0) end(marks, mark)
      else used++
      keys[2 * slot] = amount
      marks[mark] = asset + 1
      marks[mark + 2] = isDeposit ? 1 : 0
      marks[mark + 3] = isDeposit ? 0 : 1
    } else {
      previous[entry] = i32(marks, mark + 1)
      const side = mark + (isDeposit ? 2 : 3)
      marks[side] = i32(marks, side) + 1
    }
    keys[2 * slot + 1] = time
    marks[mark + 1] = entry
    if (2 * used > table.capacity) compact(time)
  }
  compact(Number.POSITIVE_INFINITY)
}
