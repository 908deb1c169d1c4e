/** Says what the words of a report mean: which movements count, for which accounts, and among which candidates. */
import * as AccountType from "@tallystick/core/AccountType"
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../../Accounts.ts"
import type * as Policy from "../../Policy.ts"
import * as Moments from "../explain/Moments.ts"
import * as Words from "../explain/Words.ts"

type Flow = Policy.Resolved["flows"][number]

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(texts))

type Types = readonly [from: string, to: string]

/** Names the transfers between accounts of these types: `spot transfers`, `transfers (SPOT to FUTURES)`. */
const transfersOf = (types: ReadonlyArray<Types>): string => {
  const pairs = unique(types.map(([from, to]) => `${from} to ${to}`))
  if (pairs.length === 0) return "transfers"
  const isSpot = types.every((pair) => pair.every((type) => AccountType.canonical(type) === "SPOT"))
  return isSpot ? "spot transfers" : `transfers (${pairs.join(", ")})`
}

/** The account types that were asked for, when the flows do not name any. */
const typesAsked = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Types> =>
  coverage.flatMap(({ query }) =>
    query === undefined || query.fromAccountType === "" ? [] : [[query.fromAccountType, query.toAccountType] as const]
  )

const movement = ({ from, to, types }: Flow, { list }: Accounts.Accounts, asked: ReadonlyArray<Types>): string => {
  const any = list.length === 0 ? "any account" : Words.count(list.length, "sub-account")
  const end = (name: string) => (name === "*" ? any : name)
  return `${transfersOf(types ?? asked)} from ${end(from)} to ${end(to)}`
}

const accountsOf = ({ complete, list, provenAt }: Accounts.Accounts): string => {
  if (list.length === 0) {
    return complete ? "All accounts are in scope." : "The accounts that the records name are in scope."
  }
  if (!complete) return "Nobody confirmed that the list of sub-accounts is complete."
  return provenAt === undefined
    ? "The list of sub-accounts was confirmed complete."
    : `The list of sub-accounts is complete as the exchange gave it on ${Moments.make().at(provenAt)}.`
}

/** Says by which names the master account goes; nothing where that is its only name. */
const masterOf = (accounts: Accounts.Accounts): string => {
  const names = Accounts.masterNames(accounts)
  return names.every((name) => name === "master") ? "" : ` Master is the account ${names.join(", ")}.`
}

const isTolerant = ({ tolerance: { absolute, relative } }: Policy.Rule): boolean =>
  !Amount.isZero(absolute) || !Amount.isZero(relative)

const forced = (limit: string): string =>
  `A match that is called forced is forced among the candidates: a counterpart outside the window or ${limit}, or in no record ` +
  "that was read, is none of them."

const lags = {
  seen: "The time to sweep counts from the time of the deposit.",
  settled:
    "The time to sweep counts from the time of the deposit, or from when it was first seen settled, where an archive " +
    "knows that."
} as const

/**
 * Returns the sentences that every report prints: which movements are in scope, within which an item is called unmatched, and from
 * when the time to sweep counts. Where amounts may differ, they also say what `forced` means.
 */
export const meaning = (
  policy: Pick<Policy.Resolved, "fees" | "flows" | "lagFrom" | "per" | keyof Policy.Rule>,
  accounts: Accounts.Accounts,
  coverage: ReadonlyArray<Coverage.Coverage>
): string => {
  const asked = typesAsked(coverage)
  const movements = unique(policy.flows.map((flow) => movement(flow, accounts, asked))).join("; ")
  const scope = `${Words.begin(movements)}. ${accountsOf(accounts)}${masterOf(accounts)} ` +
    `An item is called unmatched within this scope only. ${lags[policy.lagFrom]}`
  if ([policy, ...policy.per].some(isTolerant)) return `${scope} ${forced("the tolerance")}`
  return policy.fees.length > 0 ? `${scope} ${forced("what a fee leaves")}` : scope
}
