/** What is not settled and explains nothing: waiting, unknown, or failed. */
import type * as Entry from "../../../Entry.ts"
import type { Side } from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

const sentence = (side: Entry.Side, { id, status }: Entry.Entry): string => {
  const name = side === "deposit" ? `Deposit ${id}` : `Transfer ${id}`
  if (status === "pending") return `${name} is not settled yet, so nothing is expected of it.`
  return status === "unknown"
    ? `${name} has a status that the policy does not know, so it is not taken as settled.`
    : `${name} failed; only what is settled is matched.`
}

const alone = ({ settle }: Workbench, side: Side): void => {
  side.entries.forEach((entry, index) => {
    if (side.open[index] !== 1 || entry.status === "settled") return
    settle({
      code: entry.status === "pending" ? "unconfirmed" : entry.status === "unknown" ? "unknown-status" : "not-settled",
      ...side.alone(index),
      finality: entry.status === "failed" ? "horizon" : "never",
      explanation: sentence(side.side, entry)
    })
  })
}

export const pending = (bench: Workbench): void => {
  alone(bench, bench.ledger.deposits)
  alone(bench, bench.ledger.transfers)
}
