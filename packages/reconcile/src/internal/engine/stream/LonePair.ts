/**
 * Knows a part that is one deposit and one transfer of equal amount in the window, both plain and surrounded by what was read.
 * Nothing else can be compared with them, so they are a pair whatever the rules are.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import * as Past from "../../Past.ts"
import * as Rules from "../../policy/Rules.ts"

/** The fields that could tie an entry to entries of other amounts. */
const ties = ["reference", "address", "memo", "network", "from", "to", "fromType", "toType"] as const

/** Returns the deposit and the transfer, if the part is such a pair. */
export type LonePair = (
  part: ReadonlyArray<Entry.Entry>
) => { readonly deposit: Entry.Entry; readonly transfer: Entry.Entry } | undefined

const intervals = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  operation: Coverage.Coverage["operation"]
): ReadonlyArray<Coverage.Coverage> =>
  coverage.filter((one) => one.operation === operation && one.query === undefined && one.state === "complete")

/** Makes the test for a policy, and then for the coverage so far. That is merged: what hangs together is one interval. */
export const make = (policy: Policy.Resolved): (coverage: ReadonlyArray<Coverage.Coverage>) => LonePair => {
  const rules = [policy, ...policy.per]
  const reach = Math.max(...rules.map(({ window }) => Math.abs(window.before) + Math.abs(window.after)))
  const alias = Policy.aliasOf(policy)
  const ruleOf = Rules.rules(policy)
  const bounded = new Set(Object.keys(policy.minAmount).map(alias))
  const named = new Set([
    ...policy.exclude.map(({ id }) => id),
    ...policy.forbid.flatMap(({ deposit, transfer }) => [deposit, transfer])
  ])
  const isPlain = (entry: Entry.Entry): boolean => {
    const { asset, at, id, past, side, status } = entry
    // Where only references match, no plain entry has a counterpart.
    if (policy.reference === "only" || status !== "settled" || bounded.has(alias(asset)) || named.has(id)) return false
    for (const key of ties) if (entry[key] !== undefined) return false
    if (past === undefined) return true
    return Past.objection(status, past) === undefined &&
      (side === "transfer" || policy.lagFrom !== "settled" || (past.settledAt ?? at) <= at)
  }
  const isPair = (deposit: Entry.Entry, transfer: Entry.Entry): boolean => {
    if (!isPlain(deposit) || !isPlain(transfer)) return false
    if (deposit.account !== transfer.account && deposit.account && transfer.account) return false
    const { after, before } = ruleOf(deposit.asset, undefined).window
    const lag = transfer.at - deposit.at
    return -before <= lag && lag <= after
  }

  return (coverage) => {
    const read = [intervals(coverage, "deposits"), intervals(coverage, "transfers")]
    const isRead = ({ at }: Entry.Entry): boolean =>
      read.every((known) => known.some(({ from, to }) => from <= at - reach && to > at + reach))
    return (part) => {
      const [one, other] = part
      if (part.length !== 2 || one === undefined || other === undefined || one.side === other.side) return undefined
      const [deposit, transfer] = one.side === "deposit" ? [one, other] : [other, one]
      return isPair(deposit, transfer) && isRead(deposit) && isRead(transfer) ? { deposit, transfer } : undefined
    }
  }
}
