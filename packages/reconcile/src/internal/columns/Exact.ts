/** Tier `exact`: a deposit and a transfer that are alone are stated in passing, all others are solved many at a time. */
import type * as Policy from "../../Policy.ts"
import { f64 } from "../kernel/Column.ts"
import * as AmountRule from "../matching/AmountRule.ts"
import * as Batch from "./Batch.ts"
import * as Pairs from "./Pairs.ts"
import * as Streaks from "./Streaks.ts"
import * as TimeDoubts from "./TimeDoubts.ts"

export const state = (
  pairs: Pairs.Pairs,
  policy: Pick<Policy.Resolved, "window" | "tolerance" | "ambiguity">,
  scales: Int32Array
): void => {
  const { deposits, transfers } = pairs
  const { after, before } = policy.window
  const streaks = Streaks.sweep(deposits, transfers, policy.window, {
    join: (deposit, transfer) => {
      const lag = f64(transfers.at, transfer) - f64(deposits.at, deposit)
      if (lag >= -before && lag <= after) Pairs.state(pairs, deposit, transfer, Pairs.forced)
    },
    part: (deposit, transfer) => Pairs.takeBack(pairs, deposit, transfer)
  })
  if (AmountRule.isExact(policy.tolerance)) {
    const nothing: ReadonlySet<number> = new Set()
    Batch.solve(pairs, streaks, policy, ({ settle }) => settle(nothing))
    return
  }
  const rests: Array<Batch.Rest> = []
  Batch.solve(pairs, streaks, policy, (rest) => rests.push(rest))
  const doubted = TimeDoubts.among(pairs, rests.flatMap(({ byTime }) => byTime), policy, scales)
  for (const { settle } of rests) settle(doubted)
}
