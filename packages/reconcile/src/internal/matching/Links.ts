/** Links by hand, and whether the entries that they name are there. */
import type * as Entry from "../../Entry.ts"
import * as Policy from "../../Policy.ts"
import type { PolicyIssue } from "../../PolicyError.ts"
import { at } from "./Column.ts"
import type { Ledger, Side } from "./Ledger.ts"
import type { Found } from "./tiers/Linked.ts"

/** Everything that is wrong with the links, given the entries. */
export const issues = (
  policy: Policy.Resolved,
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>
): ReadonlyArray<PolicyIssue> => {
  if (policy.links.length === 0) return []
  const alias = Policy.aliasOf(policy)
  const assetOf = {
    deposit: new Map(deposits.map(({ asset, id }) => [id, asset] as const)),
    transfer: new Map(transfers.map(({ asset, id }) => [id, asset] as const))
  }
  return policy.links.flatMap((link, index) => {
    const found: Array<PolicyIssue> = []
    const assets = new Set<string>()
    for (const side of ["deposit", "transfer"] as const) {
      link[`${side}s`].forEach((id, position) => {
        const asset = assetOf[side].get(id)
        if (asset !== undefined) assets.add(alias(asset))
        else found.push({ path: `links[${index}].${side}s[${position}]`, message: `there is no ${side} "${id}"` })
      })
    }
    if (assets.size > 1) {
      const names = Array.from(assets).toSorted().join(", ")
      found.push({
        path: `links[${index}]`,
        message: `a link holds one asset (or its aliases), this one holds ${names}`
      })
    }
    return found
  })
}

/** The links that can be followed; the others are warnings. */
export const find = (
  ledger: Ledger
): { readonly found: ReadonlyArray<Found>; readonly warnings: ReadonlyArray<string> } => {
  const { deposits, policy, transfers } = ledger
  if (policy.links.length === 0) return { found: [], warnings: [] }
  const positions = (side: Side): Map<string, number> =>
    new Map(side.entries.map(({ id }, index) => [id, index] as const))
  const [lefts, rights] = [positions(deposits), positions(transfers)]
  const warnings: Array<string> = []
  const used = new Set<string>()
  const found = policy.links.flatMap((link): ReadonlyArray<Found> => {
    const left = link.deposits.flatMap((id) => lefts.get(id) ?? [])
    const right = link.transfers.flatMap((id) => rights.get(id) ?? [])
    const groups = new Set([
      ...left.map((index) => at(deposits.group, index)),
      ...right.map((index) => at(transfers.group, index))
    ])
    const keys = [...link.deposits.map((id) => `d${id}`), ...link.transfers.map((id) => `t${id}`)]
    const isWhole = left.length === link.deposits.length && right.length === link.transfers.length
    if (!isWhole || groups.size !== 1 || keys.some((key) => used.has(key)) || new Set(keys).size < keys.length) {
      warnings.push(
        `The link of ${link.deposits.join(", ")} with ${
          link.transfers.join(", ")
        } could not be followed and was left out.`
      )
      return []
    }
    for (const key of keys) used.add(key)
    const byPosition = (a: number, b: number): number => a - b
    return [{ link, deposits: left.toSorted(byPosition), transfers: right.toSorted(byPosition) }]
  })
  return { found, warnings }
}
