/** An open deposit whose equal transfer in its window has failed, and no other of them may still come about. */
import type { Component } from "../candidates/CandidateGraph.ts"
import { failedCounterparts, joinFailed, withLateTransfer, withWaitingTransfer } from "../candidates/Unsettled.ts"
import type { Workbench } from "../Workbench.ts"

/** Some have failed, but others are under way, and may be another try: while they are, nothing should be repeated. */
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
