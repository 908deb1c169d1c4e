/**
 * Streaks of equal amounts, solved many at a time: they are laid on one line of time, one behind the other and further
 * apart than the window, so that they are one class of which no candidate leads from one streak to the next.
 */
import type * as Policy from "../../Policy.ts"
import { f64, i32, pick, take, u8 } from "../kernel/Column.ts"
import * as ExactClass from "../kernel/ExactClass.ts"
import * as Pairs from "./Pairs.ts"
import type { Streaks } from "./Streaks.ts"

/** So many entries are enough for one line. */
const enough = 1 << 13

type Rules = Pick<Policy.Resolved, "window" | "ambiguity">

/** The entries of one side by streak, each in order of time: those of streak s are `entries[start[s]..start[s + 1])`. */
interface Members {
  readonly start: Int32Array
  readonly entries: Int32Array
}

const members = (streakOf: Int32Array, count: number): Members => {
  const start = new Int32Array(count + 2)
  for (let entry = 0; entry < streakOf.length; entry++) {
    const streak = i32(streakOf, entry)
    if (streak > 0) start[streak + 1] = i32(start, streak + 1) + 1
  }
  for (let streak = 1; streak <= count; streak++) start[streak + 1] = i32(start, streak + 1) + i32(start, streak)
  const next = start.slice()
  const entries = new Int32Array(i32(start, count + 1))
  for (let entry = 0; entry < streakOf.length; entry++) {
    const streak = i32(streakOf, entry)
    if (streak === 0) continue
    const place = i32(next, streak)
    entries[place] = entry
    next[streak] = place + 1
  }
  return { start, entries }
}

/** One line of time: the entries of each side, and when they are on it. */
interface Line {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  readonly depositTimes: Float64Array
  readonly transferTimes: Float64Array
}

const solveLine = (pairs: Pairs.Pairs, line: Line, { ambiguity, window }: Rules): void => {
  const { deposits, transfers } = line
  const { components, decidedBy, partner, stated } = ExactClass.solve({
    deposits: line.depositTimes,
    transfers: line.transferTimes,
    before: window.before,
    after: window.after,
    ratio: ambiguity.ratio,
    rivals: ambiguity.rivals
  })
  for (let place = 0; place < deposits.length; place++) {
    const known = i32(stated, place)
    const chosen = ambiguity.mode === "assign" ? i32(partner, place) : known
    if (chosen < 0) continue
    const how = known < 0 ? Pairs.assigned : u8(decidedBy, place) === 1 ? Pairs.forced : Pairs.time
    Pairs.state(pairs, i32(deposits, place), i32(transfers, chosen), how)
  }
  if (ambiguity.mode !== "report") return
  for (const { deposits: some, matched, transfers: others } of components) {
    Pairs.leave(pairs, {
      code: 2 * matched === some.length + others.length ? "class-balanced" : "class-short",
      deposits: pick(deposits, some),
      transfers: pick(transfers, others),
      matched
    })
  }
}

/** Solves all streaks. */
export const solve = (pairs: Pairs.Pairs, { count, ofDeposit, ofTransfer }: Streaks, rules: Rules): void => {
  const gap = Math.max(Math.abs(rules.window.after), Math.abs(rules.window.before)) + 1
  const [left, right] = [members(ofDeposit, count), members(ofTransfer, count)]

  /** The streaks from `first` to before `end` on one line. */
  const makeLine = (first: number, end: number): Line => {
    const [fromLeft, fromRight] = [i32(left.start, first), i32(right.start, first)]
    const deposits = left.entries.subarray(fromLeft, i32(left.start, end))
    const transfers = right.entries.subarray(fromRight, i32(right.start, end))
    const depositTimes = take(pairs.deposits.at, deposits)
    const transferTimes = take(pairs.transfers.at, transfers)
    let [depositPlace, transferPlace, next] = [0, 0, 0]
    for (let streak = first; streak < end; streak++) {
      const depositEnd = i32(left.start, streak + 1) - fromLeft
      const transferEnd = i32(right.start, streak + 1) - fromRight
      const earliest = Math.min(
        depositPlace < depositEnd ? f64(depositTimes, depositPlace) : Number.POSITIVE_INFINITY,
        transferPlace < transferEnd ? f64(transferTimes, transferPlace) : Number.POSITIVE_INFINITY
      )
      const shift = next - earliest
      for (; depositPlace < depositEnd; depositPlace++) {
        const time = f64(depositTimes, depositPlace) + shift
        depositTimes[depositPlace] = time
        next = Math.max(next, time + gap)
      }
      for (; transferPlace < transferEnd; transferPlace++) {
        const time = f64(transferTimes, transferPlace) + shift
        transferTimes[transferPlace] = time
        next = Math.max(next, time + gap)
      }
    }
    return { deposits, transfers, depositTimes, transferTimes }
  }

  for (let first = 1; first <= count;) {
    const entriesBefore = (streak: number): number => i32(left.start, streak) + i32(right.start, streak)
    let end = first + 1
    while (end <= count && entriesBefore(end) - entriesBefore(first) < enough) end++
    solveLine(pairs, makeLine(first, end), rules)
    first = end
  }
}
