/** A deposit and a transfer that a person linked, and what of a policy keeps the engine from matching them by itself. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../Entry.ts"
import * as Policy from "../../Policy.ts"
import * as AmountRule from "../engine/ledger/AmountRule.ts"
import * as Rules from "../policy/Rules.ts"

/** One deposit and one transfer that a person linked. */
export interface Link {
  /** The number of the decision by which they were linked. */
  readonly decision: number
  readonly deposit: Entry.Entry
  readonly transfer: Entry.Entry
}

/** What a policy does not allow of a pair: its two assets, its amounts, or a transfer behind or before the window. */
export type Obstacle = "asset" | "amount" | "late" | "early"

/** The time of the transfer minus the time of the deposit, ms. */
export const lag = ({ deposit, transfer }: Link): number => transfer.at - deposit.at

const expected = (policy: Policy.Resolved) => {
  const feesOf = Rules.fees(policy)
  const digits = AmountRule.digitsOf(policy)
  return ({ deposit, transfer }: Link) => {
    const scale = AmountRule.scaleOf([deposit.amount, transfer.amount], digits)
    return {
      scale,
      transfer: Amount.units(transfer.amount, scale),
      amounts: AmountRule.expectations(Amount.units(deposit.amount, scale), feesOf(deposit.asset), scale)
    }
  }
}

/** Says what of the policy a pair would have to get around; nothing where the policy allows it. */
export const obstacles = (policy: Policy.Resolved) => {
  const aliasOf = Policy.aliasOf(policy)
  const ruleOf = Rules.rules(policy)
  const expectedOf = expected(policy)
  return (link: Link): ReadonlyArray<Obstacle> => {
    const { deposit, transfer } = link
    const { tolerance, window } = ruleOf(deposit.asset, deposit.network)
    const { amounts, scale, transfer: moved } = expectedOf(link)
    const fits = AmountRule.fit(AmountRule.bounded(amounts, tolerance, scale), moved) !== undefined
    return [
      ...(aliasOf(deposit.asset) === aliasOf(transfer.asset) ? [] : ["asset" as const]),
      ...(fits ? [] : ["amount" as const]),
      ...(lag(link) > window.after ? ["late" as const] : []),
      ...(lag(link) < -window.before ? ["early" as const] : [])
    ]
  }
}

/** Gives what the transfer differs from the nearest amount that the policy expects of it, whatever the tolerance; decimal text. */
export const residual = (policy: Policy.Resolved) => {
  const expectedOf = expected(policy)
  return (link: Link): string => {
    const { amounts, scale, transfer } = expectedOf(link)
    return Amount.format(AmountRule.magnitude(AmountRule.nearest(amounts, transfer).residual), scale)
  }
}
