/**
 * Counts the entries of a run by asset, and finds what keeps assets and times together: ids that come several times, and links. It keeps
 * each id.
 */
import type * as Accounts from "../Accounts.ts"
import type * as Entry from "../Entry.ts"
import * as Partition from "../Partition.ts"
import type * as Policy from "../Policy.ts"
import * as ConflictVersions from "./engine/ledger/ConflictVersions.ts"
import * as Share from "./Share.ts"
import * as Silence from "./Silence.ts"

export interface Census {
  readonly add: (entries: ReadonlyArray<Entry.Entry>) => void
  readonly families: () => ReadonlyArray<Partition.Surveyed>
}

/** The asset of an entry, and its time in Unix ms. */
interface Place {
  readonly asset: string
  readonly at: number
}

/** The time between entries that belong together, wherever they lie. */
const between = (places: ReadonlyArray<Place>): Silence.Span => ({
  from: Math.min(...places.map(({ at }) => at)),
  to: Math.max(...places.map(({ at }) => at)),
  entries: 0
})

/** Returns the times that spans lie in. Each begins with one of them, but for the first, and ends where the next begins. */
const stretchesOf = (spans: ReadonlyArray<Silence.Span>): ReadonlyArray<Partition.Stretch> =>
  spans.map(({ entries, from }, index) => ({
    ...Share.times(index === 0 ? undefined : from, spans[index + 1]?.from),
    entries
  }))

export const make = (policy: Policy.Resolved, accounts: Accounts.Accounts): Census => {
  const contents = ConflictVersions.make(policy, accounts)
  const reach = Silence.reach(policy)
  const spanOf = Silence.spanOf(policy)
  const counts = new Map<string, number>()
  const spans = new Map<string, Silence.Spans>()
  const places = { deposit: new Map<string, Place>(), transfer: new Map<string, Place>() }
  const ties: Array<Partition.Tie> = []
  const tie = (asset: string, other: string | undefined): void => {
    if (other !== undefined && other !== asset) ties.push([asset, other])
  }
  const span = (asset: string, one: Silence.Span): void => {
    const known = spans.get(asset) ?? Silence.spans(reach)
    spans.set(asset, known)
    known.add(one)
  }
  const ofLinks = () => {
    for (const { deposits, transfers } of policy.links) {
      const found = [
        ...deposits.flatMap((id) => places.deposit.get(id) ?? []),
        ...transfers.flatMap((id) => places.transfer.get(id) ?? [])
      ]
      const [first] = found
      if (first !== undefined) span(first.asset, between(found))
    }
  }
  return {
    add: (more) => {
      for (const entry of more) {
        const { asset, at, id, past, side } = entry
        counts.set(asset, (counts.get(asset) ?? 0) + 1)
        span(asset, spanOf(entry))
        const place = { asset, at }
        const before = places[side].get(id)
        if (before !== undefined) {
          tie(asset, before.asset)
          span(asset, between([before, place]))
        }
        places[side].set(id, place)
        if (past?.conflicts !== undefined) { for (const content of contents(entry)) tie(asset, content.entry?.asset) }
      }
    },
    families: () => {
      ofLinks()
      const ofAssets = Array.from(counts, ([asset, count]) => ({ asset, entries: count }))
      return Partition.families(ofAssets, policy, ties).map(({ assets, entries, name }) => {
        const all = assets.flatMap((asset) => spans.get(asset)?.all() ?? [])
        return { name, assets, entries, stretches: stretchesOf(Silence.joined(all, reach)) }
      })
    }
  }
}
