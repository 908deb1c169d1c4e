/**
 * Finds open deposits whose equal transfer in the window has failed, while no other transfer of that amount can still come
 * about.
 */
import type { Component } from "../candidates/CandidateGraph.ts"
import { failedCounterparts, joinFailed, withLateTransfer, withWaitingTransfer } from "../candidates/Unsettled.ts"
import type { Workbench } from "../Workbench.ts"

/**
 * Settles failed transfers while another transfer for the deposit is under way, perhaps as a new try. Nobody should repeat the
 * transfer until that is known.
 */
const retried = ({ doubts, settle }: Workbench, { transfers }: Component, deposit: number): void => {
  for (const transfer of transfers) doubts.ofDepositOnly(deposit, transfer, { code: "failed" })
  for (const transfer of transfers) {
    settle({
      code: "not-settled",
      deposits: [],
      transfers: [transfer],
      finality: "never",
      because: { code: "attempt-may-be-replaced" }
    })
  }
}

export const failedAttempt = (bench: Workbench): void => {
  const { ledger, settle } = bench
  joinFailed(bench)
  const isRetried = withWaitingTransfer(ledger)
  for (const component of failedCounterparts(ledger, withLateTransfer(ledger))) {
    const { deposits, transfers } = component
    const other = deposits.find((deposit) => isRetried.has(deposit))
    if (other !== undefined) {
      retried(bench, component, other)
      continue
    }
    settle({
      code: "failed-attempt",
      deposits,
      transfers,
      finality: "horizon",
      because: { code: "attempts-failed" }
    })
  }
}
