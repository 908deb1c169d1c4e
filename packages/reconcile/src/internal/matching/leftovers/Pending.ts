/** What is not settled: waiting, unknown, or failed without a counterpart. */
import type * as Entry from "../../../Entry.ts"
import type { Component } from "../CandidateGraph.ts"
import { item } from "../Column.ts"
import type { Side } from "../Ledger.ts"
import type { Run } from "../Run.ts"
import { unsettledCounterparts, unsettledOrigins } from "../Unsettled.ts"
import * as Words from "../Words.ts"

const waiting = ["pending", "unknown"] as const

/** An open entry whose equal counterpart waits is not missing anything yet: both wait. */
const together = ({ ledger, settle }: Run, { deposits, transfers }: Component): void => {
  const statuses = new Set<Entry.Status>([
    ...deposits.map((deposit) => item(ledger.deposits.entries, deposit).status),
    ...transfers.map((transfer) => item(ledger.transfers.entries, transfer).status)
  ])
  settle({
    code: statuses.has("unknown") ? "unknown-status" : "unconfirmed",
    deposits,
    transfers,
    finality: "never",
    explanation: `${Words.count(deposits.length, "deposit")} and ${Words.count(transfers.length, "transfer")} of ${
      Words.money(item(ledger.deposits.entries, item(deposits, 0)))
    } may belong together, but one side of them is not settled yet${
      statuses.has("unknown") ? " or has a status that is not known" : ""
    }.`
  })
}

const sentence = (side: Entry.Side, { id, status }: Entry.Entry): string => {
  const name = side === "deposit" ? `Deposit ${id}` : `Transfer ${id}`
  if (status === "pending") return `${name} is not settled yet, so nothing is expected of it.`
  return status === "unknown"
    ? `${name} has a status that the policy does not know, so it is not taken as settled.`
    : `${name} failed, and no settled counterpart is looking for it.`
}

const alone = ({ settle }: Run, side: Side): void => {
  side.entries.forEach((entry, index) => {
    if (side.open[index] !== 1 || entry.status === "settled") return
    settle({
      code: entry.status === "pending" ? "unconfirmed" : entry.status === "unknown" ? "unknown-status" : "not-settled",
      deposits: side.side === "deposit" ? [index] : [],
      transfers: side.side === "transfer" ? [index] : [],
      finality: entry.status === "failed" ? "horizon" : "never",
      explanation: sentence(side.side, entry)
    })
  })
}

export const pending = (run: Run): void => {
  for (const component of unsettledCounterparts(run.ledger, waiting)) together(run, component)
  for (const component of unsettledOrigins(run.ledger, waiting)) together(run, component)
  alone(run, run.ledger.deposits)
  alone(run, run.ledger.transfers)
}
