/**
 * Entries of one asset and amount that follow each other so closely that candidates may connect them, found in one sweep
 * over time. Only streaks that may go on are kept, so what is searched stays small whatever the run.
 */
import type * as Policy from "../../Policy.ts"
import { f64, i32 } from "../kernel/Column.ts"
import type { Sorted } from "./Sorted.ts"

/** A streak of one deposit and one transfer has no number, so that the many pairs that are alone leave nothing to do. */
export interface Streaks {
  /** Per entry the number of its streak, from 1; 0 = it has none. */
  readonly ofDeposit: Int32Array
  readonly ofTransfer: Int32Array
  readonly count: number
}

interface Visitor {
  /** A streak has become one deposit and one transfer. */
  readonly join: (deposit: number, transfer: number) => void
  /** It is so no longer. */
  readonly part: (deposit: number, transfer: number) => void
}

/**
 * Streaks that may go on, listed by a hash of asset and amount. What belongs to one is half a line of the cache; the room
 * of one that has ended goes to another.
 */
interface Table {
  /** A power of two. */
  readonly lists: number
  /** Per list, its first streak, or 0. */
  readonly first: Int32Array
  /** Four a streak: the amount, until when it may go on, and the room of four integers. */
  readonly keys: Float64Array
  /** Eight a streak, the last four in use: the asset, the next in its list or 0, the first entry, and its `state`. */
  readonly marks: Int32Array
}

/** The state of a streak is `alone`, the second entry of a pair, or `alone` less its number. */
const alone = -1

/** Until when a streak goes on whose room is free. */
const ended = Number.NEGATIVE_INFINITY

/** So many entries are looked up at once, because the waits for memory then overlap. */
const ahead = 64

const empty = (lists: number): Table => {
  const keys = new Float64Array(8 * lists)
  return { lists, first: new Int32Array(lists), keys, marks: new Int32Array(keys.buffer) }
}

const hash = (asset: number, amount: number): number => {
  const high = Math.imul((amount / 4_294_967_296) | 0, 0x85eb_ca6b)
  const mixed = Math.imul((amount | 0) ^ high ^ Math.imul(asset, 0xc2b2_ae35), 0x9e37_79b1)
  return mixed ^ (mixed >>> 15)
}

/** Whatever candidates connect is in one streak: it goes on until none of its entries can have a candidate any more. */
export const sweep = (
  deposits: Sorted,
  transfers: Sorted,
  { after, before }: Policy.Rule["window"],
  { join, part }: Visitor
): Streaks => {
  const lefts = deposits.at.length
  const rights = transfers.at.length
  const [ofDeposit, ofTransfer] = [new Int32Array(lefts), new Int32Array(rights)]
  let count = 0
  let table = empty(1 << 10)
  // Room 0 is none; `free` is the first of a list of those that can be used again.
  let used = 1
  let free = 0

  const grow = (): void => {
    const { keys } = table
    table = empty(2 * table.lists)
    table.keys.set(keys)
    const { first, lists, marks } = table
    for (let room = 1; room < used; room++) {
      if (f64(keys, 4 * room + 1) === ended) continue
      const list = hash(i32(marks, 8 * room + 4), f64(keys, 4 * room)) & (lists - 1)
      marks[8 * room + 5] = i32(first, list)
      first[list] = room
    }
  }

  const number = (entry: number, streak: number): void => {
    if (entry < lefts) ofDeposit[entry] = streak
    else ofTransfer[entry - lefts] = streak
  }

  /** Adds an entry to a streak; its state from then on. */
  const extend = (one: number, state: number, entry: number): number => {
    if (state < alone) {
      number(entry, alone - state)
      return state
    }
    if (state === alone && (one < lefts) !== (entry < lefts)) {
      join(Math.min(one, entry), Math.max(one, entry) - lefts)
      return entry
    }
    count++
    number(one, count)
    number(entry, count)
    if (state !== alone) {
      part(Math.min(one, state), Math.max(one, state) - lefts)
      number(state, count)
    }
    return alone - count
  }

  const entries = new Int32Array(ahead)
  const hashes = new Int32Array(ahead)
  const fetched = new Float64Array(ahead)
  let left = 0
  let right = 0
  while (left < lefts || right < rights) {
    if (used + ahead > 2 * table.lists) grow()
    const { first, keys, lists, marks } = table
    let size = 0
    for (; size < ahead && (left < lefts || right < rights); size++) {
      const isDeposit = right >= rights || (left < lefts && f64(deposits.at, left) <= f64(transfers.at, right))
      const side = isDeposit ? deposits : transfers
      const index = isDeposit ? left++ : right++
      entries[size] = isDeposit ? index : lefts + index
      hashes[size] = hash(i32(side.asset, index), f64(side.amount, index)) & (lists - 1)
    }
    for (let step = 0; step < size; step++) fetched[step] = f64(keys, 4 * i32(first, i32(hashes, step)))
    for (let step = 0; step < size; step++) {
      const entry = i32(entries, step)
      const list = i32(hashes, step)
      const isDeposit = entry < lefts
      const side = isDeposit ? deposits : transfers
      const index = isDeposit ? entry : entry - lefts
      const asset = i32(side.asset, index)
      const amount = f64(side.amount, index)
      const time = f64(side.at, index)
      const until = time + (isDeposit ? after : before)
      let above = 0
      let room = i32(first, list)
      while (room !== 0) {
        const next = i32(marks, 8 * room + 5)
        if (f64(keys, 4 * room + 1) < time) {
          keys[4 * room + 1] = ended
          marks[8 * room + 5] = free
          free = room
          if (above === 0) first[list] = next
          else marks[8 * above + 5] = next
        } else if (f64(keys, 4 * room) === amount && i32(marks, 8 * room + 4) === asset) {
          break
        } else {
          above = room
        }
        room = next
      }
      if (room !== 0) {
        keys[4 * room + 1] = Math.max(f64(keys, 4 * room + 1), until)
        marks[8 * room + 7] = extend(i32(marks, 8 * room + 6), i32(marks, 8 * room + 7), entry)
        continue
      }
      room = free === 0 ? used++ : free
      if (room === free) free = i32(marks, 8 * room + 5)
      keys[4 * room] = amount
      keys[4 * room + 1] = until
      marks[8 * room + 4] = asset
      marks[8 * room + 5] = i32(first, list)
      marks[8 * room + 6] = entry
      marks[8 * room + 7] = alone
      first[list] = room
    }
  }
  return { ofDeposit, ofTransfer, count }
}
