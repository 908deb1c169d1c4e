/** The rivals of a pair: the other candidates of its two entries. */
import { f64, i32 } from "../Column.ts"
import { type Ranges, type Staircase } from "./Staircase.ts"

export interface Rival {
  /** 0 if the rival is another transfer for the deposit, 1 if it is another deposit for the transfer. */
  readonly side: 0 | 1
  /** The index of the rival, or -1 if there is none. */
  readonly index: number
  /** The distance in time from the rival to the entry that it fits; infinite if there is none. */
  readonly distance: number
}

export const count = ({ ofDeposit, ofTransfer }: Staircase, deposit: number, transfer: number): number =>
  i32(ofDeposit.to, deposit) - i32(ofDeposit.from, deposit) + i32(ofTransfer.to, transfer) -
  i32(ofTransfer.from, transfer) - 2

/**
 * Finds the rival that is nearest in time. Of two equally near it takes the one for the deposit, then the earlier. Takes
 * logarithmic time.
 */
export const nearest = (staircase: Staircase, deposit: number, transfer: number): Rival => {
  const { deposits, ofDeposit, ofTransfer, transfers } = staircase
  const otherTransfer = nearestOther(deposits, deposit, transfers, ofDeposit, transfer)
  const otherDeposit = nearestOther(transfers, transfer, deposits, ofTransfer, deposit)
  const forDeposit = distance(deposits, deposit, transfers, otherTransfer)
  const forTransfer = distance(transfers, transfer, deposits, otherDeposit)
  return forTransfer < forDeposit
    ? { side: 1, index: otherDeposit, distance: forTransfer }
    : { side: 0, index: otherTransfer, distance: forDeposit }
}

/**
 * Finds the candidate of an entry that is nearest in time, other than `except`: the earlier of two equally near, or -1
 * if there is none.
 */
const nearestOther = (
  times: Float64Array,
  entry: number,
  others: Float64Array,
  { from, to }: Ranges,
  except: number
): number => {
  const time = f64(times, entry)
  let low = i32(from, entry)
  let high = i32(to, entry)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (f64(others, middle) < time) low = middle + 1
    else high = middle
  }
  const earlier = low - 1 === except ? low - 2 : low - 1
  const later = low === except ? low + 1 : low
  const hasEarlier = earlier >= i32(from, entry)
  const hasLater = later < i32(to, entry)
  if (!hasLater) return hasEarlier ? earlier : -1
  return hasEarlier && time - f64(others, earlier) <= f64(others, later) - time ? earlier : later
}

const distance = (times: Float64Array, entry: number, others: Float64Array, other: number): number =>
  other < 0 ? Number.POSITIVE_INFINITY : Math.abs(f64(others, other) - f64(times, entry))
