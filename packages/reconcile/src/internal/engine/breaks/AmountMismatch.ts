/**
 * Finds a deposit and a transfer that are each other's only candidate in the window, and whose amounts differ by at most a
 * tenth.
 */
import * as Connected from "../candidates/Connected.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { at, item } from "../ledger/Column.ts"
import * as Mismatch from "../outcomes/Mismatch.ts"
import type { Workbench } from "../Workbench.ts"

const settlePair = ({ doubts, finality, ledger, settle }: Workbench, deposit: number, transfer: number): void => {
  const { deposits, policy, transfers } = ledger
  const amounts = Amounts.make(ledger, [deposit], [transfer])
  const [from, to] = [amounts.deposit(deposit), amounts.transfer(transfer)]
  const { fee, residual } = AmountRule.nearest(amounts.expected(deposit), to)
  const close = AmountRule.magnitude(residual) * 10n <= (from < to ? from : to)
  const sameAccount = at(deposits.account, deposit) >= 0 && deposits.account[deposit] === transfers.account[transfer]
  const sameReference = policy.reference !== "ignore" && at(deposits.reference, deposit) >= 0 &&
    deposits.reference[deposit] === transfers.reference[transfer]
  const read = finality.isRead({ deposits: [deposit], transfers: [transfer] })
  if (close && (sameAccount || sameReference) && read) {
    settle(Mismatch.amount(ledger, deposit, transfer, amounts.format(residual), {
      code: sameAccount ? "same-account-alone" : "same-reference-alone",
      ...AmountRule.factOf(fee)
    }))
    return
  }
  doubts.between(deposit, transfer, {
    code: "other-amount",
    difference: amounts.format(AmountRule.magnitude(residual)),
    ...AmountRule.factOf(fee)
  })
}

export const amountMismatch = (bench: Workbench): void => {
  for (const part of Connected.stars(bench.ledger)) {
    if (part.deposits.length === 1 && part.transfers.length === 1) {
      settlePair(bench, item(part.deposits, 0), item(part.transfers, 0))
    }
  }
}
