/** Converts the amounts of some entries of one asset to integers of one scale, in which every bound of the rules is exact. */
import * as Amount from "@tallystick/core/Amount"
import * as AmountRule from "./AmountRule.ts"
import { item } from "./Column.ts"
import type { Ledger } from "./Ledger.ts"

export interface Amounts {
  readonly scale: number
  readonly deposit: (deposit: number) => bigint
  readonly transfer: (transfer: number) => bigint
  /** Returns the amounts that the transfer of the deposit may have. */
  readonly expected: (deposit: number) => ReadonlyArray<AmountRule.Bounded>
  /** Says how the pair fits under the rule of the deposit, if it does. */
  readonly fit: (deposit: number, transfer: number) => AmountRule.Fit | undefined
  /** Returns the size below which a residual of the deposit is noise; 0 if none is. */
  readonly noise: (deposit: number) => bigint
  readonly format: (units: bigint) => string
}

const remembered = <A>(make: (index: number) => A): (index: number) => A => {
  const known = new Map<number, A>()
  return (index) => {
    const before = known.get(index)
    if (before !== undefined) return before
    const made = make(index)
    known.set(index, made)
    return made
  }
}

export const make = (ledger: Ledger, deposits: Iterable<number>, transfers: Iterable<number>): Amounts => {
  const amounts: Array<string> = []
  for (const deposit of deposits) amounts.push(item(ledger.deposits.entries, deposit).amount)
  for (const transfer of transfers) amounts.push(item(ledger.transfers.entries, transfer).amount)
  return ofScale(ledger, AmountRule.scaleOf(amounts, ledger.digits))
}

/** Makes it for any entries whose amounts, and all bounds of these, are integers of that scale. */
export const ofScale = (ledger: Ledger, scale: number): Amounts => {
  const deposit = remembered((index) => Amount.units(item(ledger.deposits.entries, index).amount, scale))
  const transfer = remembered((index) => Amount.units(item(ledger.transfers.entries, index).amount, scale))
  const expected = remembered((index) =>
    AmountRule.bounded(
      AmountRule.expectations(
        deposit(index),
        ledger.fees(item(ledger.deposits.entries, index).asset),
        scale
      ),
      ledger.rule(index).tolerance,
      scale
    )
  )
  return {
    scale,
    deposit,
    transfer,
    expected,
    fit: (left, right) => AmountRule.fit(expected(left), transfer(right)),
    noise: remembered((index) => Amount.units(ledger.rule(index).ambiguity.residual, scale)),
    format: (units) => Amount.format(units, scale)
  }
}
