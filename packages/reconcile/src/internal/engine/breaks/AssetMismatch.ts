/**
 * Finds a deposit and a transfer of equal amount that are each other's only candidate in the window, and whose assets differ
 * but look alike.
 */
import * as Connected from "../candidates/Connected.ts"
import * as SingleCandidate from "../evidence/SingleCandidate.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { isAlike } from "../ledger/LookAlike.ts"
import * as LookAlikes from "../ledger/LookAlikes.ts"
import type { Workbench } from "../Workbench.ts"

const settlePair = (
  { doubts, finality, ledger, settle }: Workbench,
  deposit: number,
  transfer: number
): void => {
  const members = { deposits: [deposit], transfers: [transfer] }
  if (finality.postpones(members)) {
    doubts.between(deposit, transfer, { code: "look-alike-asset" })
    return
  }
  settle({
    code: "asset-mismatch",
    ...members,
    finality: "horizon",
    lagMs: Ledger.lag(ledger, deposit, transfer),
    because: { code: "look-alike-asset" }
  })
}

export const assetMismatch = (bench: Workbench): void => {
  const { ledger } = bench
  const alike = LookAlikes.make(ledger)
  if (alike === undefined) return
  const { deposits, transfers } = ledger
  const found = SingleCandidate.pairs(
    bench,
    alike,
    Connected.free(ledger),
    (deposit, transfer) =>
      deposits.group[deposit] !== transfers.group[transfer] &&
      isAlike(item(deposits.entries, deposit).asset, item(transfers.entries, transfer).asset) &&
      ledger.compatible(deposit, transfer)
  )
  for (const pair of found) settlePair(bench, ...pair)
}
