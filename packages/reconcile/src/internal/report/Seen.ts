/** Remembers of the entries that come what the warnings of a run are made of. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../../Accounts.ts"
import * as Entry from "../../Entry.ts"
import type * as Policy from "../../Policy.ts"
import * as Direction from "../engine/ledger/Direction.ts"
import * as Links from "../engine/tiers/Links.ts"
import * as Words from "../explain/Words.ts"
import type { Seen, Side } from "./SeenForm.ts"

export interface Collector {
  readonly add: (side: Entry.Side, entries: ReadonlyArray<Entry.Entry>) => void
  /** Returns the entries so far that a link of the policy names. */
  readonly linked: (side: Entry.Side) => Side["linked"]
  /** Returns what was seen. Whoever compares the entries with each other counts those that came again. */
  readonly seen: (repeated: Readonly<Record<Entry.Side, number>>) => Seen
}

const sides = Entry.Side.literals

export interface About {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly range?: Coverage.Interval | undefined
}

const sorted = (texts: Iterable<string>): ReadonlyArray<string> => Array.from(texts).toSorted()

const byId = (linked: ReadonlyMap<string, string>) =>
  Array.from(linked, ([id, asset]) => ({ id, asset })).toSorted((one, other) => (one.id < other.id ? -1 : 1))

export const make = ({ accounts, policy, range }: About): Collector => {
  const direction = Direction.make(policy.flows, accounts)
  const strangers = new Set<string>()
  let ofStrangers = 0
  /** Returns the account of an entry, if the list should have it and does not. */
  const strangerOf = (side: Entry.Side, entry: Entry.Entry): string | undefined => {
    const account = side === "deposit" ? entry.account || undefined : direction.accountOf(entry)
    if (account === undefined) return undefined
    const is = side === "deposit" ? direction.isUnlisted(direction.canonical(account)) : direction.isUnvouched(entry)
    return is ? account : undefined
  }
  const inLinks = {
    deposit: new Set(policy.links.flatMap(({ deposits }) => deposits)),
    transfer: new Set(policy.links.flatMap(({ transfers }) => transfers))
  }
  const inExclusions = new Set(policy.exclude.map(({ id }) => id))
  const excluded = { deposit: new Set<string>(), transfer: new Set<string>() }
  /** The assets of the entries that came last, by id. */
  const linked = { deposit: new Map<string, string>(), transfer: new Map<string, string>() }
  const count = { deposit: 0, transfer: 0 }
  const inside = { deposit: false, transfer: false }
  return {
    add: (side, entries) => {
      count[side] += entries.length
      if (accounts.complete) {
        for (const entry of entries) {
          const stranger = strangerOf(side, entry)
          if (stranger === undefined) continue
          ofStrangers++
          strangers.add(stranger)
        }
      }
      inside[side] ||= range === undefined || entries.some(({ at }) => at >= range.from && at < range.to)
      if (inExclusions.size === 0 && inLinks[side].size === 0) return
      for (const { asset, id } of entries) {
        if (inExclusions.has(id)) excluded[side].add(id)
        if (inLinks[side].has(id)) linked[side].set(id, asset)
      }
    },
    linked: (side) => byId(linked[side]),
    seen: (repeated) => {
      const of = (side: Entry.Side) => ({
        entries: count[side],
        isInside: inside[side],
        repeated: repeated[side],
        excluded: sorted(excluded[side]),
        linked: byId(linked[side])
      })
      return {
        deposit: of("deposit"),
        transfer: of("transfer"),
        strangers: { entries: ofStrangers, accounts: sorted(strangers) }
      }
    }
  }
}

/** Returns what was seen of entries that came all at once. */
export const of = (
  about: About & { readonly deposits: ReadonlyArray<Entry.Entry>; readonly transfers: ReadonlyArray<Entry.Entry> },
  repeated: Readonly<Record<Entry.Side, number>>
): Seen => {
  const collector = make(about)
  collector.add("deposit", about.deposits)
  collector.add("transfer", about.transfers)
  return collector.seen(repeated)
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((one, other) => one + other, 0)

/** Adds up what was seen of several parts of the entries, in whatever order they come. No two of them have an id in common. */
export const merge = (parts: ReadonlyArray<Seen>): Seen => {
  const of = (side: Entry.Side): Side => {
    const all = parts.map((part) => part[side])
    return {
      entries: sum(all.map(({ entries }) => entries)),
      isInside: all.some(({ isInside }) => isInside),
      repeated: sum(all.map(({ repeated }) => repeated)),
      excluded: sorted(new Set(all.flatMap(({ excluded }) => excluded))),
      linked: byId(new Map(all.flatMap(({ linked }) => linked.map(({ asset, id }) => [id, asset] as const))))
    }
  }
  return {
    deposit: of("deposit"),
    transfer: of("transfer"),
    strangers: {
      entries: sum(parts.map(({ strangers }) => strangers.entries)),
      accounts: sorted(new Set(parts.flatMap(({ strangers }) => strangers.accounts)))
    }
  }
}

/** Makes the warnings about what the matcher did not find or could not use, of so many bad records among it. */
export const ofMatcher = (policy: Policy.Resolved, seen: Seen, bad: number): ReadonlyArray<string> => {
  const excluded = { deposit: new Set(seen.deposit.excluded), transfer: new Set(seen.transfer.excluded) }
  return [
    ...policy.exclude
      .filter(({ id, side }) => !sides.some((one) => (side === undefined || side === one) && excluded[one].has(id)))
      .map(({ id, side }) => Words.notExcluded(id, side)),
    ...Words.warnings({ deposit: seen.deposit.repeated, transfer: seen.transfer.repeated }, bad)
  ]
}

/** Makes all warnings of a run, with so many bad records. */
export const warnings = (policy: Policy.Resolved, seen: Seen, bad: number): ReadonlyArray<string> => {
  const { strangers } = seen
  const ids = (side: Entry.Side) => new Set(seen[side].linked.map(({ id }) => id))
  const linked = { deposit: ids("deposit"), transfer: ids("transfer") }
  return [
    ...Links.absent(policy, (side, id) => linked[side].has(id)),
    ...ofMatcher(policy, seen, bad),
    ...(strangers.entries === 0 ? [] : [Words.unlisted(strangers.entries, strangers.accounts)]),
    ...sides.flatMap((side) => {
      const { entries, isInside } = seen[side]
      return entries === 0 || isInside ? [] : [Words.outside(side, entries)]
    })
  ]
}
