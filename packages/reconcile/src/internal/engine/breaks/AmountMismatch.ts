/** A deposit and a transfer that are alone with each other in the window, and differ by at most a tenth. */
import * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { at, bucket, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Mismatch from "../outcomes/Mismatch.ts"
import type { Workbench } from "../Workbench.ts"

const settlePair = ({ closure, ledger, doubts, settle }: Workbench, deposit: number, transfer: number): void => {
  const { deposits, policy, transfers } = ledger
  const amounts = Amounts.make(ledger, [deposit], [transfer])
  const [from, to] = [amounts.deposit(deposit), amounts.transfer(transfer)]
  const { residual } = AmountRule.nearest(amounts.expected(deposit), to)
  const close = AmountRule.magnitude(residual) * 10n <= (from < to ? from : to)
  const sameAccount = at(deposits.account, deposit) >= 0 && deposits.account[deposit] === transfers.account[transfer]
  const sameReference = policy.reference !== "ignore" && at(deposits.reference, deposit) >= 0 &&
    deposits.reference[deposit] === transfers.reference[transfer]
  const read = closure.ofDeposit(deposit).state === "complete" && closure.ofTransfer(transfer).state === "complete"
  if (close && (sameAccount || sameReference) && read) {
    const because = `both belong to the same ${
      sameAccount ? "account" : "reference"
    }, and neither has another candidate`
    settle(Mismatch.amount(ledger, deposit, transfer, amounts.format(residual), because))
    return
  }
  doubts.between(
    deposit,
    transfer,
    `the only open one in the window, but its amount differs by ${amounts.format(AmountRule.magnitude(residual))}`
  )
}

export const amountMismatch = (bench: Workbench): void => {
  const { ledger } = bench
  const { deposits, groups, transfers } = ledger
  const lefts = bucket(deposits.group, groups, (index) => Ledger.isFree(deposits, index))
  const rights = bucket(transfers.group, groups, (index) => Ledger.isFree(transfers, index))
  for (let group = 0; group < groups; group++) {
    const [left, right] = [lefts.of(group), rights.of(group)]
    if (left.length === 0 || right.length === 0) continue
    const index = CandidateIndex.byTime(ledger, right, (deposit) => ledger.rule(deposit).window)
    const accept = ledger.filtered ? ledger.compatible : undefined
    for (const { deposits, transfers } of CandidateGraph.components(ledger, left, index, accept)) {
      if (deposits.length === 1 && transfers.length === 1) {
        settlePair(bench, item(deposits, 0), item(transfers, 0))
      }
    }
  }
}
