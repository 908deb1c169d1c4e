/** An open deposit whose equal transfer in its window has failed. */
import type * as CandidateGraph from "../CandidateGraph.ts"
import { item } from "../Column.ts"
import type { Run } from "../Run.ts"
import { joinFailed, unsettledCounterparts } from "../Unsettled.ts"
import * as Words from "../Words.ts"

export const failedAttempt = (run: Run): void => {
  const { ledger, settle } = run
  joinFailed(run)
  const components: ReadonlyArray<CandidateGraph.Component> = unsettledCounterparts(ledger, ["failed"])
  for (const { deposits, transfers } of components) {
    const deposit = item(ledger.deposits.entries, item(deposits, 0))
    const lone = deposits.length === 1
    settle({
      code: "failed-attempt",
      deposits,
      transfers,
      finality: "horizon",
      explanation: lone
        ? `${Words.count(transfers.length, "equal transfer")} for deposit ${deposit.id} of ${
          Words.money(deposit)
        } failed, and no other came.`
        : `${Words.count(transfers.length, "equal transfer")} failed in the windows of ${deposits.length} deposits of ${
          Words.money(deposit)
        } that have no other; which deposit each was for is not known.`
    })
  }
}
