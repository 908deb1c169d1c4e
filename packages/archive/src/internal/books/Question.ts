/** In what a run is asked otherwise than the last execution of the books, or than another run was, to the letter. */
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import type * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import type * as Decision from "../../Decision.ts"
import type * as Execution from "../../Execution.ts"
import * as Executing from "./Executing.ts"
import * as PolicyLines from "./PolicyLines.ts"

/** What a run is asked, but for its range. */
export type Question = Pick<Report.Summary, "accounts" | "addresses" | "policy">

export interface Differing {
  /** The number of the last execution. */
  readonly execution: number
  readonly of: ReadonlyArray<keyof Question>
}

/** A text for what a run is told of accounts. */
export const listed = ({ complete, digest, master }: Question["accounts"] | Execution.Body["accounts"]): string =>
  [complete, digest, ...master].join("\n")

export const differing = (asked: Question, last: Execution.Body): Differing => ({
  execution: last.number,
  of: [
    ...(Executing.policyOf(asked.policy) === last.policy ? [] : ["policy" as const]),
    ...(listed(asked.accounts) === listed(last.accounts) ? [] : ["accounts" as const]),
    ...(asked.addresses.digest === last.addresses.digest ? [] : ["addresses" as const])
  ]
})

/** What a run may be told. */
export interface Told {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses: AddressBook.AddressBook
}

/** Names in what somebody else would be told than a run was; `decisions` are all of the ledger. */
export const toldOtherwise = (
  { accounts, addresses, policy }: Told,
  run: Question,
  decisions: ReadonlyArray<Decision.Decision>
): ReadonlyArray<keyof Question> => {
  const linesOf = (policy: Policy.Resolved): string => PolicyLines.digest(PolicyLines.make(policy, decisions))
  const isSamePolicy = Executing.policyOf(policy) === Executing.policyOf(run.policy) &&
    linesOf(policy) === linesOf(run.policy)
  const { complete } = accounts
  const told = { complete, digest: Accounts.digest(accounts), master: Accounts.masterNames(accounts) }
  return [
    ...(isSamePolicy ? [] : ["policy" as const]),
    ...(listed({ ...run.accounts, ...told }) === listed(run.accounts) ? [] : ["accounts" as const]),
    ...(AddressBook.digest(addresses) === run.addresses.digest ? [] : ["addresses" as const])
  ]
}
