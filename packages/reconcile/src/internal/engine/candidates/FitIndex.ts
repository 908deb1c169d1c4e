/** Finds the candidates of a deposit by window and amount rule, fees included. */
import * as AmountRule from "../ledger/AmountRule.ts"
import type { Amounts } from "../ledger/Amounts.ts"
import { at } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import * as AmountIndex from "./AmountIndex.ts"
import * as CandidateIndex from "./CandidateIndex.ts"

export const make = (
  ledger: Ledger,
  amounts: Amounts,
  transfers: Int32Array,
  reachOf: CandidateIndex.ReachOf = (deposit) => ledger.rule(deposit).window
): CandidateIndex.CandidateIndex => {
  const indices = CandidateIndex.byKeys(
    ledger,
    ledger.deposits,
    transfers,
    (part) => AmountIndex.make(ledger.transfers.at, part, amounts.transfer)
  )
  return (deposit, visit) => {
    const [from, to] = Window.around(at(ledger.deposits.at, deposit), reachOf(deposit))
    for (const { high, low } of AmountRule.intervals(amounts.expected(deposit))) {
      for (const index of indices(deposit)) index.query(from, to, low, high, visit)
    }
  }
}
