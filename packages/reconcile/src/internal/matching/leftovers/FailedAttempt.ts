/** An open deposit whose equal transfer in its window has failed, and no other of them may still come about. */
import type { Component } from "../CandidateGraph.ts"
import { item } from "../Column.ts"
import type { Run } from "../Run.ts"
import { joinFailed, unsettledCounterparts, withLateTransfer } from "../Unsettled.ts"
import * as Words from "../Words.ts"

/** Some have failed, but others wait, and may be another try: while they do, nothing should be repeated. */
const retried = ({ ledger, settle }: Run, { deposits, transfers }: Component, failed: ReadonlySet<number>): void => {
  const { entries } = ledger.transfers
  const waiting = transfers.filter((transfer) => !failed.has(transfer))
  const isUnknown = waiting.some((transfer) => item(entries, transfer).status === "unknown")
  const money = Words.money(item(ledger.deposits.entries, item(deposits, 0)))
  settle({
    code: isUnknown ? "unknown-status" : "unconfirmed",
    deposits,
    transfers: waiting,
    finality: "never",
    candidates: Array.from(failed, (transfer) => ({
      side: "transfer",
      id: item(entries, transfer).id,
      reason: "equal, but failed"
    })),
    explanation: `${Words.count(deposits.length, "deposit")} and ${
      Words.count(waiting.length, "transfer")
    } of ${money} may belong together, but one side of them is not settled yet${
      isUnknown ? " or has a status that is not known" : ""
    }; ${Words.count(failed.size, "equal transfer")} failed.`
  })
  for (const transfer of failed) {
    settle({
      code: "not-settled",
      deposits: [],
      transfers: [transfer],
      finality: "never",
      explanation: `Transfer ${
        item(entries, transfer).id
      } failed, and an equal one that is not settled yet may take its place.`
    })
  }
}

export const failedAttempt = (run: Run): void => {
  const { ledger, settle } = run
  joinFailed(run)
  const isMoved = withLateTransfer(ledger)
  for (const component of unsettledCounterparts(ledger, ["failed", "pending", "unknown"], isMoved)) {
    const { deposits, transfers } = component
    const failed = new Set(
      transfers.filter((transfer) => item(ledger.transfers.entries, transfer).status === "failed")
    )
    if (failed.size === 0) continue
    if (failed.size < transfers.length) {
      retried(run, component, failed)
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
        } failed, and no other of that amount came.`
        : `${Words.count(transfers.length, "equal transfer")} failed in the windows of ${deposits.length} deposits of ${
          Words.money(deposit)
        } that have no other of that amount; which deposit each was for is not known.`
    })
  }
}
