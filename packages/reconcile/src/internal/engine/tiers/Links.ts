/** Finds the entries that links by hand name, and reports those that are not there. */
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type { PolicyIssue } from "../../../PolicyError.ts"
import type * as Because from "../../explain/Because.ts"
import type { Ledger, Side } from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"
import type { Found } from "./Linked.ts"

type Link = Policy.Resolved["links"][number]

type Ids = (side: Entry.Side, id: string) => boolean

type Named = Pick<Entry.Entry, "id" | "asset">

/** Reports links between entries of different assets, if the entries are there. */
export const issues = (
  policy: Policy.Resolved,
  deposits: ReadonlyArray<Named>,
  transfers: ReadonlyArray<Named>
): ReadonlyArray<PolicyIssue> => {
  if (policy.links.length === 0) return []
  const alias = Policy.aliasOf(policy)
  const left = new Map(deposits.map(({ asset, id }) => [id, asset] as const))
  const right = new Map(transfers.map(({ asset, id }) => [id, asset] as const))
  return policy.links.flatMap((link, index) => {
    const found = [...link.deposits.map((id) => left.get(id)), ...link.transfers.map((id) => right.get(id))]
    const assets = new Set(found.flatMap((asset) => (asset === undefined ? [] : [alias(asset)])))
    if (assets.size < 2) return []
    const names = Array.from(assets).toSorted().join(", ")
    return [{
      path: `links[${index}]`,
      message: `a link holds one asset (or its aliases), this one holds ${names}`
    }]
  })
}

/** Returns the ends of a link for which `isOne` holds. */
const named = (link: Link, isOne: Ids): ReadonlyArray<Because.Named> =>
  (["deposit", "transfer"] as const).flatMap((side) =>
    link[`${side}s`].filter((id) => isOne(side, id)).map((id) => ({ side, id }))
  )

const quoted = (ids: ReadonlyArray<string>): string => ids.map((id) => `"${id}"`).join(", ")

const listed = (ends: ReadonlyArray<Because.Named>): string => ends.map(({ id, side }) => `${side} "${id}"`).join(", ")

/** Makes the warnings about links whose ends are not all there. */
export const absent = (policy: Policy.Resolved, isThere: Ids): ReadonlyArray<string> =>
  policy.links.flatMap((link) => {
    const missing = named(link, (side, id) => !isThere(side, id))
    if (missing.length === 0) return []
    const all = listed(named(link, () => true))
    return [`The policy links ${all}; not among the entries: ${listed(missing)}.`]
  })

/** A link of which some entries cannot be used or are not there, with those that are. */
interface Incomplete {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
  /** The ends that are not there. */
  readonly absent: ReadonlyArray<Because.Named>
}

interface Links {
  readonly found: ReadonlyArray<Found>
  readonly partial: ReadonlyArray<Incomplete>
  readonly warnings: ReadonlyArray<string>
}

/** Returns the links that can be followed, wholly or in part. The others become warnings. */
export const find = (ledger: Ledger): Links => {
  const { deposits, policy, transfers } = ledger
  const [found, partial, warnings]: [Array<Found>, Array<Incomplete>, Array<string>] = [[], [], []]
  if (policy.links.length === 0) return { found, partial, warnings }
  const positions = (side: Side): Map<string, number> =>
    new Map(side.entries.map(({ id }, index) => [id, index] as const))
  const at = { deposit: positions(deposits), transfer: positions(transfers) }
  const used = new Set<string>()
  const byPosition = (a: number, b: number): number => a - b
  for (const link of policy.links) {
    const left = link.deposits.flatMap((id) => at.deposit.get(id) ?? []).toSorted(byPosition)
    const right = link.transfers.flatMap((id) => at.transfer.get(id) ?? []).toSorted(byPosition)
    const groups = new Set([
      ...left.map((index) => deposits.group[index]),
      ...right.map((index) => transfers.group[index])
    ])
    if (groups.size === 0) continue
    const keys = [...link.deposits.map((id) => `d${id}`), ...link.transfers.map((id) => `t${id}`)]
    if (groups.size > 1 || keys.some((key) => used.has(key)) || new Set(keys).size < keys.length) {
      warnings.push(
        `The link of ${quoted(link.deposits)} with ${quoted(link.transfers)} could not be followed and was left out.`
      )
      continue
    }
    for (const key of keys) used.add(key)
    const absent = named(link, (side, id) => !at[side].has(id))
    if (absent.length === 0) found.push({ link, deposits: left, transfers: right })
    else partial.push({ deposits: left, transfers: right, absent })
  }
  return { found, partial, warnings }
}

/**
 * Settles entries whose link names others that are not at hand. They are not missing, because somebody found where they
 * belong.
 */
export const settlePartial = ({ settle }: Workbench, links: ReadonlyArray<Incomplete>): void => {
  for (const { absent, deposits, transfers } of links) {
    settle({
      code: "coverage-gap",
      deposits,
      transfers,
      finality: "never",
      because: { code: "linked-with-absent", absent }
    })
  }
}
