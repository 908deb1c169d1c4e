/** Notes which entries that no tier took are decided with a look at each other. */
import * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import * as Connected from "../candidates/Connected.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as LookAlikes from "../ledger/LookAlikes.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"

/** Notes this for entries of equal amount within the horizon, and for entries of look-alike assets in the window. */
export const chains = ({ finality, ledger }: Workbench): void => {
  const { deposits, transfers } = ledger
  const free = Connected.free(ledger)
  const isLeft = (index: number): boolean => Ledger.isFree(transfers, index) || transfers.against[index] === 1
  deposits.entries.forEach((_, index) => free.deposits(index) && finality.leave(deposits.alone(index)))
  transfers.entries.forEach((_, index) => isLeft(index) && finality.leave(transfers.alone(index)))

  const leave = (left: Int32Array, index: CandidateIndex.CandidateIndex): void => {
    for (const part of CandidateGraph.connect(ledger, left, index)) finality.leave(part)
  }
  for (const equals of Connected.alike(Connected.byAmount(ledger), { ...free, transfers: isLeft })) {
    // Accounts do not matter here.
    const index = CandidateIndex.anyAccount(ledger, equals.transfers, (deposit) => Window.horizon(ledger, deposit))
    leave(equals.deposits, index)
  }
  const lookAlikes = LookAlikes.make(ledger)
  if (lookAlikes === undefined) return
  for (const { deposits, transfers } of Connected.alike(lookAlikes, free)) {
    leave(deposits, CandidateIndex.byTime(ledger, transfers))
  }
}
