/** An open deposit whose equal transfer in its window has failed, and no other of them may still come about. */
import type { Component } from "../candidates/CandidateGraph.ts"
import { failedCounterparts, joinFailed, withLateTransfer, withWaitingTransfer } from "../candidates/Unsettled.ts"
import { item } from "../ledger/Column.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"

/** Some have failed, but others are under way, and may be another try: while they are, nothing should be repeated. */
const retried = ({ ledger, doubts, settle }: Workbench, { transfers }: Component, deposit: number): void => {
  for (const transfer of transfers) doubts.ofDepositOnly(deposit, transfer, "equal, but failed")
  for (const transfer of transfers) {
    settle({
      code: "not-settled",
      deposits: [],
      transfers: [transfer],
      finality: "never",
      explanation: `Transfer ${
        item(ledger.transfers.entries, transfer).id
      } failed, and one that is not settled yet may take its place.`
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
        } failed, and no other of that amount is left in its window.`
        : `${Words.count(transfers.length, "equal transfer")} failed in the windows of ${deposits.length} deposits of ${
          Words.money(deposit)
        } for which no other of that amount is left; which deposit each was for is not known.`
    })
  }
}
