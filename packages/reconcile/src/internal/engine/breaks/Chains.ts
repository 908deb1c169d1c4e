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
  Connected.eachKey(Connected.byAmount(ledger), { ...free, transfers: isLeft }, (left, right) => {
    // Accounts do not matter here.
    leave(left, CandidateIndex.anyAccount(ledger, right, (deposit) => Window.horizon(ledger, deposit)))
  })
  const alike = LookAlikes.make(ledger)
  if (alike === undefined) return
  Connected.eachKey(alike, free, (left, right) => leave(left, CandidateIndex.byTime(ledger, right)))
}
