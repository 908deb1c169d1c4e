/** Tier `exact`: a deposit and a transfer that are alone are stated in passing, all others are solved many at a time. */
import type * as Policy from "../../Policy.ts"
import { f64 } from "../kernel/Column.ts"
import * as Batch from "./Batch.ts"
import * as Pairs from "./Pairs.ts"
import * as Streaks from "./Streaks.ts"

export const state = (pairs: Pairs.Pairs, policy: Pick<Policy.Resolved, "window" | "ambiguity">): void => {
  const { deposits, transfers } = pairs
  const { after, before } = policy.window
  const streaks = Streaks.sweep(deposits, transfers, policy.window, {
    join: (deposit, transfer) => {
      const lag = f64(transfers.at, transfer) - f64(deposits.at, deposit)
      if (lag >= -before && lag <= after) Pairs.state(pairs, deposit, transfer, Pairs.forced)
    },
    part: (deposit, transfer) => Pairs.takeBack(pairs, deposit, transfer)
  })
  Batch.solve(pairs, streaks, policy)
}
