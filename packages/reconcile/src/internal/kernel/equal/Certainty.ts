/** Finds the pairs that are in every maximum matching, and those that are in every optimum, without listing a single edge. */
import { f64, i32, u8 } from "../Column.ts"
import { type Choice } from "./LeastLag.ts"
import { contains, type Staircase } from "./Staircase.ts"

/** Pairs in the order of both sides. Each position holds a deposit and its transfer. */
export interface Pairs {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
}

/**
 * Flags the pairs that are in every perfect matching of their entries. These are the pairs that cannot be swapped with the
 * pair before or after them. That is enough: an alternating cycle through pair i and a later pair has an edge from a deposit
 * up to i to a transfer after i, and another edge back. In a staircase these two edges imply that the pairs i and i + 1 can
 * be swapped. The same holds for an earlier pair.
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
 * Flags the pairs at whose start no optimum has a pair under way. A pair is under way between its earlier and its later entry.
 * At any time an optimum has |balance| pairs under way, where the balance is the number of chosen deposits minus the number
 * of chosen transfers so far. The balances of all optima lie between two extreme ones.
 *
 * Let the window contain the lag 0, and let all rivals of a pair be further away than its own lag. Then the pair is flagged
 * exactly if it is in every optimum. If no pair is under way when the earlier entry comes, and the two are not a pair, both
 * entries belong to later partners. Two such pairs would overlap in opposite directions, which is never optimal, and
 * neither is it to leave one of the two entries free. If some optimum has a pair under way, the later end of that pair lies
 * between the two entries and is a nearer rival.
 *
 * In a window without the lag 0 all lags have one sign, so the total depends only on the chosen entries. The times of these
 * are the same in every optimum (they are matroid bases of least weight), and `unswappable` decides exactly.
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
