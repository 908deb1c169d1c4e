/** The candidates of a deposit by window and amount rule, fees included. */
import type * as Policy from "../../../Policy.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import type { Amounts } from "../ledger/Amounts.ts"
import { at } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as AmountIndex from "./AmountIndex.ts"
import * as CandidateIndex from "./CandidateIndex.ts"

export const make = (
  ledger: Ledger,
  amounts: Amounts,
  transfers: Int32Array,
  windowOf: (deposit: number) => Policy.Rule["window"] = (deposit) => ledger.rule(deposit).window
): CandidateIndex.CandidateIndex => {
  const indices = CandidateIndex.byKeys(
    ledger,
    ledger.deposits,
    transfers,
    (part) => AmountIndex.make(ledger.transfers.at, part, amounts.transfer)
  )
  return (deposit, visit) => {
    const window = windowOf(deposit)
    const time = at(ledger.deposits.at, deposit)
    for (const { high, low } of AmountRule.intervals(amounts.expected(deposit))) {
      for (const index of indices(deposit)) index.query(time - window.before, time + window.after, low, high, visit)
    }
  }
}
