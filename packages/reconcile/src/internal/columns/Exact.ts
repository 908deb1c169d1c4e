/** Tier `exact`: a deposit and a transfer that are alone are stated at once, all others are solved many at a time. */
import type * as Policy from "../../Policy.ts"
import { f64, i32 } from "../kernel/Column.ts"
import * as Batch from "./Batch.ts"
import * as Pairs from "./Pairs.ts"
import * as Streaks from "./Streaks.ts"

export const state = (pairs: Pairs.Pairs, policy: Pick<Policy.Resolved, "window" | "ambiguity">): void => {
  const { deposits, transfers } = pairs
  const { after, before } = policy.window
  const lefts = deposits.at.length
  const batch = Batch.make(pairs, policy)
  const reach = Math.max(Math.abs(after), Math.abs(before))
  Streaks.sweep(deposits, transfers, reach, (previous, last, inDeposits, inTransfers) => {
    if (inDeposits > 1 || inTransfers > 1) {
      batch.add(previous, last, inDeposits, inTransfers)
      return
    }
    const other = i32(previous, last)
    const deposit = last < lefts ? last : other
    const transfer = (last < lefts ? other : last) - lefts
    const lag = f64(transfers.at, transfer) - f64(deposits.at, deposit)
    if (lag >= -before && lag <= after) Pairs.state(pairs, deposit, transfer, Pairs.forced)
  })
  batch.solve()
}
