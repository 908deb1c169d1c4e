/**
 * Notes open entries that may be a part of a sum whose whole is an unsettled entry, or the whole of a sum with an unsettled
 * part. A sum is weak evidence, so these entries are called missing all the same, but nothing about them is final.
 */
import * as Amount from "@tallystick/core/Amount"
import * as NearInTime from "../candidates/NearInTime.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** The largest number of candidates that are named. */
const NAMED = 3

export const waitingSums = ({ doubts, finality, ledger }: Workbench): void => {
  const { deposits, policy: { grouping: { manyToOne, oneToMany } }, transfers } = ledger
  if (!manyToOne && !oneToMany) return
  const isSum = (deposit: number, transfer: number): boolean => {
    const order = Amount.compare(item(deposits.entries, deposit).amount, item(transfers.entries, transfer).amount)
    return ((manyToOne && order < 0) || (oneToMany && order > 0)) && ledger.compatible(deposit, transfer)
  }
  for (const own of [deposits, transfers]) {
    const { other } = own
    const near = NearInTime.make(ledger, own, "group", Unsettled.isWaiting(other), "window", isSum)
    own.entries.forEach((_, index) => {
      if (!Ledger.isFree(own, index)) return
      for (const one of near(index, NAMED)) {
        finality.wait(own.alone(index))
        const [deposit, transfer] = own.pair(index, one)
        const note = own === deposits ? doubts.ofDepositOnly : doubts.ofTransferOnly
        note(deposit, transfer, { code: "part-if-settled" })
      }
    })
  }
}
