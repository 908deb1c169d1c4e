/** Which of the entries that no tier took are decided with a look at each other. */
import * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import * as LookAlikes from "../finality/LookAlikes.ts"
import { bucket, type Buckets } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** Notes it for all of them: of equal amounts within the horizon, and of look-alike assets in the window. */
export const chains = ({ closure, ledger }: Workbench): void => {
  const { amountClasses, deposits, transfers } = ledger
  const isFree = (side: Ledger.Side) => (index: number): boolean => Ledger.isFree(side, index)
  const isLeft = (index: number): boolean => Ledger.isFree(transfers, index) || transfers.against[index] === 1
  deposits.entries.forEach((_, index) => isFree(deposits)(index) && closure.leave([index], []))
  transfers.entries.forEach((_, index) => isLeft(index) && closure.leave([], [index]))

  const leave = (lefts: Buckets, rights: Buckets, keys: number, make: typeof byHorizon): void => {
    for (let key = 0; key < keys; key++) {
      const [left, right] = [lefts.of(key), rights.of(key)]
      if (left.length === 0 || right.length === 0) continue
      for (const part of CandidateGraph.connect(ledger, left, make(right))) closure.leave(part.deposits, part.transfers)
    }
  }
  /** Whatever the account. */
  const byHorizon = (indices: Int32Array): CandidateIndex.CandidateIndex =>
    CandidateIndex.anyAccount(ledger, indices, (deposit) => Ledger.horizon(ledger, deposit))
  leave(
    bucket(deposits.amountClass, amountClasses, isFree(deposits)),
    bucket(transfers.amountClass, amountClasses, isLeft),
    amountClasses,
    byHorizon
  )
  const inWindow = (indices: Int32Array): CandidateIndex.CandidateIndex =>
    CandidateIndex.byTime(ledger, indices, (deposit) => ledger.rule(deposit).window)
  const alike = LookAlikes.make(ledger)
  if (alike === undefined) return
  leave(
    bucket(alike.deposit, alike.count, isFree(deposits)),
    bucket(alike.transfer, alike.count, isFree(transfers)),
    alike.count,
    inWindow
  )
}
