/**
 * Settles transfers that go against a flow. With a deposit of equal amount that has no other candidate the direction is wrong,
 * otherwise the transfer is out of flow.
 */
import * as Connected from "../candidates/Connected.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"
import { outOfFlow } from "./SetAside.ts"

/** Whether everything was read that could hold another candidate of either, or a transfer that this one cancels. */
const isRead = ({ finality }: Workbench, deposit: number, transfer: number): boolean =>
  !finality.postpones({ deposits: [deposit], transfers: [transfer] }, "wrong-direction")

const settlePair = ({ ledger, settle }: Workbench, deposit: number, transfer: number): void => {
  settle({
    code: "wrong-direction",
    deposits: [deposit],
    transfers: [transfer],
    finality: "horizon",
    lagMs: Ledger.lag(ledger, deposit, transfer),
    residual: "0",
    because: { code: "other-direction" }
  })
}

/** The largest number of noted pairs among entries with several candidates. */
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
        doubts.ofDepositOnly(item(part.deposits, position), other, { code: "other-direction" })
      })
    }
  }
  transfers.entries.forEach((_, index) => {
    if (isBack(index)) bench.settle(outOfFlow(index, "horizon"))
  })
}
