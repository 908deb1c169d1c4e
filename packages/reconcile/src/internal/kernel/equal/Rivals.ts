/** The rivals of a pair: the other candidates of either of its entries. */
import { f64, i32 } from "../Column.ts"
import { type Ranges, type Staircase } from "./Staircase.ts"

export interface Rival {
  /** 0 = another transfer for the deposit, 1 = another deposit for the transfer. */
  readonly side: 0 | 1
  /** -1 if there is none. */
  readonly index: number
  /** How far it is in time from the entry it could have; infinite if there is none. */
  readonly distance: number
}

export const count = ({ ofDeposit, ofTransfer }: Staircase, deposit: number, transfer: number): number =>
  i32(ofDeposit.to, deposit) - i32(ofDeposit.from, deposit) + i32(ofTransfer.to, transfer) -
  i32(ofTransfer.from, transfer) - 2

/** The rival nearest in time; of two equally near the one for the deposit, then the earlier. Logarithmic. */
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

/** The candidate of an entry that is nearest in time, except one; the earlier of two equally near; -1 if none. */
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
