/** What a policy says of two entries as if there were no others: the matcher itself is asked. */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"

/** What is compared of an entry. */
export type Told = Pick<Entry.Entry, "amount" | "asset" | "at" | "network">

export interface Pair {
  readonly deposit: Told
  readonly transfer: Told
}

/** `equal` amounts are one number; others are `accepted` where a tolerance or a fee of the policy explains the difference. */
export type AmountFit = "accepted" | "differs" | "equal"

/** The transfer lies in the `window` of the deposit, is `early` or `late`, or lies `beyond` all that the policy looks at. */
export type TimeFit = "beyond" | "early" | "late" | "window"

const isMatched = (code: Outcome.Code): boolean => Outcome.codes.matched.some((matched) => matched === code)

const entry = (side: Entry.Side, { amount, asset, at, network }: Told): Entry.Entry => ({
  side,
  id: side,
  asset,
  amount,
  at,
  status: "settled",
  ...(network === undefined ? {} : { network })
})

export const make = (policy: Policy.Resolved) => {
  const bare: Policy.Resolved = { ...policy, links: [], forbid: [], exclude: [], minAmount: {}, reference: "prefer" }
  const now = { window: { before: 1, after: 1 }, late: 0 }
  const atOnce: Policy.Resolved = { ...bare, ...now, per: bare.per.map((rule) => Object.assign({}, rule, now)) }
  const reach = 4 * Policy.horizon(policy) + 1

  /** Gives the code of the outcome that has both; nothing where none has. */
  const codeOf = (policy: Policy.Resolved, { deposit, transfer }: Pair): Outcome.Code | undefined => {
    const span = {
      from: Math.max(Math.min(deposit.at, transfer.at) - reach, 0),
      to: Math.max(deposit.at, transfer.at) + reach
    }
    const complete = (operation: Coverage.Coverage["operation"]): Coverage.Coverage => ({
      operation,
      ...span,
      readAt: span.to,
      state: "complete"
    })
    const { outcomes } = Matching.match({
      deposits: [entry("deposit", deposit)],
      transfers: [entry("transfer", transfer)],
      bad: [],
      coverage: [complete("deposits"), complete("transfers")],
      policy,
      accounts: Accounts.none
    })
    return outcomes.find(({ deposits, transfers }) => deposits.length > 0 && transfers.length > 0)?.code
  }

  return {
    /** Tells whether the policy takes the amounts for those of one movement, at whatever time. */
    amount: ({ deposit, transfer }: Pair): AmountFit => {
      if (Amount.compare(deposit.amount, transfer.amount) === 0) return "equal"
      const code = codeOf(atOnce, { deposit, transfer: { ...transfer, asset: deposit.asset, at: deposit.at } })
      return code !== undefined && isMatched(code) ? "accepted" : "differs"
    },
    /** Tells where the transfer lies, whatever the amounts. */
    time: ({ deposit, transfer }: Pair): TimeFit => {
      const code = codeOf(bare, { deposit, transfer: { ...transfer, asset: deposit.asset, amount: deposit.amount } })
      if (code === "late" || code === "early") return code
      return code !== undefined && isMatched(code) ? "window" : "beyond"
    }
  }
}
