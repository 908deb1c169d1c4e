/** Says what the words of a report mean: which movements count, for which accounts, and among which candidates. */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../../Accounts.ts"
import type * as Policy from "../../Policy.ts"
import * as Words from "../explain/Words.ts"

type Flow = Policy.Resolved["flows"][number]

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(texts))

/** The account-type pairs that were asked for, when the flows do not name any. */
const typesAsked = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<string> =>
  unique(
    coverage.flatMap(({ query }) => query === undefined ? [] : [`${query.fromAccountType} to ${query.toAccountType}`])
  )

const sentence = ({ from, to, types }: Flow, asked: ReadonlyArray<string>): string => {
  const end = (name: string) => (name === "*" ? "any account" : name)
  const pairs = types === undefined ? asked : types.map(([left, right]) => `${left} to ${right}`)
  return `${end(from)} to ${end(to)}${pairs.length === 0 ? "" : ` (${pairs.join(", ")})`}`
}

const accountsOf = ({ complete, list, provenAt }: Accounts.Accounts): string => {
  if (list.length === 0) return complete ? "for all accounts" : "for the accounts that the records name"
  const count = `${list.length} sub-account${list.length === 1 ? "" : "s"}`
  if (!complete) return `for the ${count} given`
  return provenAt === undefined
    ? `for the ${count} given, vouched to be all there are`
    : `for the ${count} that the exchange lists, proven to be all that it listed at ${Words.instant(provenAt)}`
}

const isTolerant = ({ tolerance: { absolute, relative } }: Policy.Rule): boolean =>
  !Amount.isZero(absolute) || !Amount.isZero(relative)

const forced = (limit: string): string =>
  `Forced means forced among the candidates: a counterpart outside the window or ${limit}, or in no record that was read, ` +
  "is none of them."

const lags = {
  seen: "A lag counts from the time of the deposit.",
  settled:
    "A lag counts from the time of the deposit, or where an archive knows it from when the deposit was first seen settled."
} as const

/**
 * Returns the sentences that every report prints: what `missing` means, and from when a lag counts. Where amounts may differ,
 * they also say what `forced` means.
 */
export const meaning = (
  policy: Pick<Policy.Resolved, "fees" | "flows" | "lagFrom" | "per" | keyof Policy.Rule>,
  accounts: Accounts.Accounts,
  coverage: ReadonlyArray<Coverage.Coverage>
): string => {
  const asked = typesAsked(coverage)
  const missing = `Missing means missing among these flows, for these accounts: ${
    policy.flows.map((flow) => sentence(flow, asked)).join("; ")
  }, ${accountsOf(accounts)}; master account: ${Accounts.masterNames(accounts).join(", ")}. ${lags[policy.lagFrom]}`
  if ([policy, ...policy.per].some(isTolerant)) return `${missing} ${forced("the tolerance")}`
  return policy.fees.length > 0 ? `${missing} ${forced("what a fee leaves")}` : missing
}
