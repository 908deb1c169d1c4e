/** What the report's words are about: which movements count, for which accounts. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../../Accounts.ts"
import type * as Policy from "../../Policy.ts"

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

const accountsOf = ({ complete, list }: Accounts.Accounts): string => {
  if (list.length === 0) return complete ? "for all accounts" : "for the accounts that the records name"
  const count = `${list.length} sub-account${list.length === 1 ? "" : "s"}`
  return complete ? `for the ${count} given, vouched to be all there are` : `for the ${count} given`
}

/** One sentence that every report prints: what `missing` can mean in it, and what not. */
export const meaning = (
  flows: ReadonlyArray<Flow>,
  accounts: Accounts.Accounts,
  coverage: ReadonlyArray<Coverage.Coverage>
): string =>
  `Missing means missing among these flows, for these accounts: ${
    flows.map((flow) => sentence(flow, typesAsked(coverage))).join("; ")
  }, ${accountsOf(accounts)}; master account: ${Accounts.masterNames(accounts).join(", ")}.`
