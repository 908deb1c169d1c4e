/** Counts the entries of a run by asset, and finds the assets that one id joins. It keeps each id. */
import type * as Accounts from "../Accounts.ts"
import type * as Entry from "../Entry.ts"
import * as Partition from "../Partition.ts"
import type * as Policy from "../Policy.ts"
import * as ConflictVersions from "./engine/ledger/ConflictVersions.ts"

export interface Census {
  readonly add: (entries: ReadonlyArray<Entry.Entry>) => void
  readonly families: () => ReadonlyArray<Partition.Family>
}

export const make = (policy: Policy.Resolved, accounts: Accounts.Accounts): Census => {
  const contents = ConflictVersions.make(policy, accounts)
  const counts = new Map<string, number>()
  const assetsOf = { deposit: new Map<string, string>(), transfer: new Map<string, string>() }
  const ties: Array<Partition.Tie> = []
  const tie = (asset: string, other: string | undefined): void => {
    if (other !== undefined && other !== asset) ties.push([asset, other])
  }
  return {
    add: (more) => {
      for (const entry of more) {
        const { asset, id, past, side } = entry
        counts.set(asset, (counts.get(asset) ?? 0) + 1)
        tie(asset, assetsOf[side].get(id))
        assetsOf[side].set(id, asset)
        if (past?.conflicts !== undefined) { for (const content of contents(entry)) tie(asset, content.entry?.asset) }
      }
    },
    families: () =>
      Partition.families(Array.from(counts, ([asset, count]) => ({ asset, entries: count })), policy, ties)
  }
}
