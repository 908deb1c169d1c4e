/** Which pairs of an optimum are in every maximum matching, and which in every optimum, without listing a single edge. */
import { f64, i32, u8 } from "../Column.ts"
import { type Choice } from "./LeastLag.ts"
import { contains, type Staircase } from "./Staircase.ts"

/** Pairs in order of both sides: position by position a deposit and its transfer. */
export interface Pairs {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
}

/**
 * Flags the pairs that are in every perfect matching of the entries they consist of: those that cannot be swapped with
 * the pair before or behind. Enough, because an alternating cycle through pair i that also holds a later pair has an
 * edge from a deposit up to i to a transfer behind i and one back, and in a staircase these imply that i and i + 1 can be
 * swapped; likewise for an earlier pair.
 */
export const unswappable = ({ ofDeposit }: Staircase, pairs: Pairs): Uint8Array => {
  const flags = new Uint8Array(pairs.deposits.length).fill(1)
  for (let pair = 1; pair < flags.length; pair++) {
    const swaps = contains(ofDeposit, i32(pairs.deposits, pair - 1), i32(pairs.transfers, pair)) &&
      contains(ofDeposit, i32(pairs.deposits, pair), i32(pairs.transfers, pair - 1))
    if (!swaps) continue
    flags[pair - 1] = 0
    flags[pair] = 0
  }
  return flags
}

/**
 * Flags the pairs at whose start no optimum has a pair under way. An optimum has |balance| pairs under way at any time
 * (deposits chosen minus transfers chosen), and the balances of all optima lie between two extreme ones.
 *
 * For a pair whose rivals are all further away than its own lag, and a window with the lag 0, this is the same as being
 * in every optimum. If nothing is under way when the earlier entry comes, both entries belong to later partners, and two
 * such pairs would overlap in opposite directions, which is never optimal; nor is leaving one of the entries free. If
 * something is under way in some optimum, its later end lies between the two entries and is a nearer rival.
 *
 * In a window without the lag 0 all lags have one sign, so the total depends only on which entries are chosen, and the
 * times of those are the same in every optimum (matroid bases of least weight); `unswappable` then decides exactly.
 */
export const unspanned = (
  staircase: Staircase,
  pairs: Pairs,
  deposits: Choice,
  transfers: Choice
): Uint8Array => {
  const flags = new Uint8Array(pairs.deposits.length)
  let deposit = 0
  let transfer = 0
  let highest = 0
  let lowest = 0
  for (let pair = 0; pair < flags.length; pair++) {
    const start = Math.min(
      f64(staircase.deposits, i32(pairs.deposits, pair)),
      f64(staircase.transfers, i32(pairs.transfers, pair))
    )
    for (; deposit < staircase.deposits.length && f64(staircase.deposits, deposit) < start; deposit++) {
      highest += u8(deposits.earliest, deposit)
      lowest += u8(deposits.latest, deposit)
    }
    for (; transfer < staircase.transfers.length && f64(staircase.transfers, transfer) < start; transfer++) {
      highest -= u8(transfers.latest, transfer)
      lowest -= u8(transfers.earliest, transfer)
    }
    flags[pair] = highest === 0 && lowest === 0 ? 1 : 0
  }
  return flags
}
