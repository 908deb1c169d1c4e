/** Transfers that go the way of a flow backwards: with a lone equal deposit the wrong direction, else out of flow. */
import * as Connected from "../candidates/Connected.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"
import { outOfFlow } from "./SetAside.ts"

/** Whether everything is read that could bring another candidate to either, or something that the transfer cancels. */
const isRead = ({ finality }: Workbench, deposit: number, transfer: number): boolean =>
  !finality.postpones({ deposits: [deposit], transfers: [transfer] }, "wrong-direction")

const settlePair = ({ ledger, settle }: Workbench, deposit: number, transfer: number): void => {
  const [from, to] = [item(ledger.deposits.entries, deposit), item(ledger.transfers.entries, transfer)]
  const lagMs = Ledger.lag(ledger, deposit, transfer)
  settle({
    code: "wrong-direction",
    deposits: [deposit],
    transfers: [transfer],
    finality: "horizon",
    lagMs,
    residual: "0",
    explanation:
      `Transfer ${to.id} of ${Words.money(to)} came ${Words.lag(lagMs)} deposit ${from.id} of ${
        Words.money(from)
      }, but went from ${Words.account(to.from)} to ${Words.account(to.to)} instead of the other way; ` +
      "neither has another candidate in the window."
  })
}

/** The most pairs of a tangle that are noted. */
const NOTED = 9

export const wrongDirection = (bench: Workbench): void => {
  const { ledger, doubts } = bench
  const { deposits, transfers } = ledger
  const isBack = (index: number): boolean => transfers.against[index] === 1 && transfers.open[index] === 1
  const parts = Connected.components(ledger, {
    key: Connected.byAmount(ledger),
    among: { deposits: (index) => Ledger.isFree(deposits, index), transfers: isBack }
  })
  for (const part of parts) {
    bench.finality.lookAmong(part)
    const { edges, size } = part
    const [deposit, transfer] = [item(part.deposits, 0), item(part.transfers, 0)]
    if (size === 1 && isRead(bench, deposit, transfer)) settlePair(bench, deposit, transfer)
    else if (edges !== undefined && size <= NOTED) {
      edges.deposit.forEach((position, edge) => {
        const other = item(part.transfers, edges.transfer[edge] ?? 0)
        doubts.ofDepositOnly(item(part.deposits, position), other, "equal, but in the wrong direction")
      })
    }
  }
  transfers.entries.forEach((_, index) => {
    if (isBack(index)) bench.settle(outOfFlow(ledger, index, "horizon"))
  })
}
