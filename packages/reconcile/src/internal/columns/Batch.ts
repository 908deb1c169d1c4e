/**
 * Streaks of equal amounts, solved many at a time: they are laid on one line of time, one behind the other and further
 * apart than the window, so that they are one class of which no candidate leads from one streak to the next.
 */
import type * as Policy from "../../Policy.ts"
import { f64, i32, pick, u8 } from "../kernel/Column.ts"
import * as ExactClass from "../kernel/ExactClass.ts"
import * as Pairs from "./Pairs.ts"

/** So many entries are enough for one call. */
const enough = 1 << 16

/** One side of the line. */
interface Line {
  entries: Int32Array
  times: Float64Array
  size: number
}

export interface Batch {
  /** Adds the streak that ends with the entry `last`. */
  readonly add: (previous: Int32Array, last: number, deposits: number, transfers: number) => void
  /** Solves what has been added. */
  readonly solve: () => void
}

const makeLine = (): Line => ({ entries: new Int32Array(enough), times: new Float64Array(enough), size: 0 })

const reserve = (line: Line, more: number): void => {
  line.size += more
  if (line.size <= line.entries.length) return
  const { entries, times } = line
  line.entries = new Int32Array(2 * line.size)
  line.times = new Float64Array(2 * line.size)
  line.entries.set(entries)
  line.times.set(times)
}

export const make = (pairs: Pairs.Pairs, policy: Pick<Policy.Resolved, "window" | "ambiguity">): Batch => {
  const { ambiguity: { mode, ratio, rivals }, window: { after, before } } = policy
  const lefts = pairs.deposits.at.length
  const gap = Math.max(Math.abs(after), Math.abs(before)) + 1
  const [left, right] = [makeLine(), makeLine()]
  let next = 0

  const solve = (): void => {
    if (left.size === 0) return
    const deposits = left.entries.subarray(0, left.size)
    const transfers = right.entries.subarray(0, right.size)
    const { components, decidedBy, partner, stated } = ExactClass.solve({
      deposits: left.times.subarray(0, left.size),
      transfers: right.times.subarray(0, right.size),
      before,
      after,
      ratio,
      rivals
    })
    for (let place = 0; place < deposits.length; place++) {
      const known = i32(stated, place)
      const chosen = mode === "assign" ? i32(partner, place) : known
      if (chosen < 0) continue
      const how = known < 0 ? Pairs.assigned : u8(decidedBy, place) === 1 ? Pairs.forced : Pairs.time
      Pairs.state(pairs, i32(deposits, place), i32(transfers, chosen), how)
    }
    if (mode === "report") {
      for (const { deposits: some, matched, transfers: others } of components) {
        Pairs.leave(pairs, {
          code: 2 * matched === some.length + others.length ? "class-balanced" : "class-short",
          deposits: pick(deposits, some),
          transfers: pick(transfers, others),
          matched
        })
      }
    }
    left.size = 0
    right.size = 0
    next = 0
  }

  const add: Batch["add"] = (previous, last, inDeposits, inTransfers) => {
    const firstLeft = left.size
    const firstRight = right.size
    reserve(left, inDeposits)
    reserve(right, inTransfers)
    let toLeft = left.size
    let toRight = right.size
    let first = 0
    let latest = Number.NEGATIVE_INFINITY
    for (let entry = last; entry >= 0; entry = i32(previous, entry)) {
      if (entry < lefts) {
        first = f64(pairs.deposits.at, entry)
        left.entries[--toLeft] = entry
        left.times[toLeft] = first
      } else {
        first = f64(pairs.transfers.at, entry - lefts)
        right.entries[--toRight] = entry - lefts
        right.times[toRight] = first
      }
      latest = Math.max(latest, first)
    }
    const shift = next - first
    for (let place = firstLeft; place < left.size; place++) left.times[place] = f64(left.times, place) + shift
    for (let place = firstRight; place < right.size; place++) right.times[place] = f64(right.times, place) + shift
    next = latest + shift + gap
    if (left.size + right.size >= enough) solve()
  }

  return { add, solve }
}
