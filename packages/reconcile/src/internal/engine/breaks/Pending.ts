/** Settles the open entries that are pending, have an unknown status or failed, and that explain no other entry. */
import type { Side } from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

const alone = ({ settle }: Workbench, side: Side): void => {
  side.entries.forEach((entry, index) => {
    if (side.open[index] !== 1 || entry.status === "settled") return
    settle({
      code: entry.status === "pending" ? "unconfirmed" : entry.status === "unknown" ? "unknown-status" : "not-settled",
      ...side.alone(index),
      finality: entry.status === "failed" ? "horizon" : "never",
      because: { code: "not-settled" }
    })
  })
}

export const pending = (bench: Workbench): void => {
  alone(bench, bench.ledger.deposits)
  alone(bench, bench.ledger.transfers)
}
