/**
 * Finds a deposit and a transfer of equal amount that are each other's only candidate in the window, and whose accounts are
 * known and differ.
 */
import * as Connected from "../candidates/Connected.ts"
import * as SingleCandidate from "../evidence/SingleCandidate.ts"
import { at, item } from "../ledger/Column.ts"
import { MASTER } from "../ledger/Direction.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

const settlePair = (bench: Workbench, deposit: number, transfer: number): void => {
  const { doubts, finality, ledger, settle } = bench
  const members = { deposits: [deposit], transfers: [transfer] }
  if (finality.postpones(members, "other-accounts")) {
    doubts.between(deposit, transfer, { code: "other-account" })
    return
  }
  const { accounts, deposits, transfers } = ledger
  const nameOf = (account: number): string => {
    const name = item(accounts, account)
    return name === MASTER ? "" : name
  }
  settle({
    code: "account-mismatch",
    ...members,
    finality: "horizon",
    lagMs: Ledger.lag(ledger, deposit, transfer),
    residual: "0",
    because: {
      code: "other-account",
      depositAccount: nameOf(at(deposits.account, deposit)),
      transferAccount: nameOf(at(transfers.account, transfer))
    }
  })
}

export const accountMismatch = (bench: Workbench): void => {
  const { ledger } = bench
  const { deposits, isElsewhere, transfers } = ledger
  const isKnown = (side: Ledger.Side) => (index: number): boolean =>
    Ledger.isFree(side, index) && at(side.account, index) >= 0
  const found = SingleCandidate.pairs(
    bench,
    Connected.byAmount(ledger),
    { deposits: isKnown(deposits), transfers: isKnown(transfers) },
    isElsewhere
  )
  for (const pair of found) settlePair(bench, ...pair)
}
