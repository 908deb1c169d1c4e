/** Remembers which entries that a policy names have come in a stream, and whether any entry lies in the range. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../../../Accounts.ts"
import type * as Entry from "../../../Entry.ts"
import type * as Policy from "../../../Policy.ts"
import * as Words from "../../explain/Words.ts"
import * as Direction from "../ledger/Direction.ts"
import * as Links from "../tiers/Links.ts"

export interface Seen {
  readonly add: (side: Entry.Side, entries: ReadonlyArray<Entry.Entry>) => void
  /** Returns the entries that a link names. */
  readonly linked: (side: Entry.Side) => ReadonlyArray<Entry.Entry>
  /** Makes the warnings about links of which some entries did not come. */
  readonly notLinked: () => ReadonlyArray<string>
  /** Makes the warnings about exclusions that found nothing. */
  readonly notExcluded: () => ReadonlyArray<string>
  /** Makes the warning about accounts that are not on a list which somebody vouches for. */
  readonly unlisted: () => ReadonlyArray<string>
  /** Makes the warnings about sides that have no entry in the range. */
  readonly outside: () => ReadonlyArray<string>
}

const sides = ["deposit", "transfer"] as const

export interface About {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly range?: Coverage.Interval | undefined
}

export const make = ({ accounts, policy, range }: About): Seen => {
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
  const excluded = new Set(policy.exclude.map(({ id }) => id))
  const found = { deposit: new Set<string>(), transfer: new Set<string>() }
  const linked: Record<Entry.Side, Array<Entry.Entry>> = { deposit: [], transfer: [] }
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
      if (excluded.size === 0 && inLinks[side].size === 0) return
      for (const entry of entries) {
        if (excluded.has(entry.id)) found[side].add(entry.id)
        if (inLinks[side].has(entry.id)) linked[side].push(entry)
      }
    },
    linked: (side) => linked[side],
    notLinked: () => {
      const ids = {
        deposit: new Set(linked.deposit.map(({ id }) => id)),
        transfer: new Set(linked.transfer.map(({ id }) => id))
      }
      return Links.absent(policy, (side, id) => ids[side].has(id))
    },
    notExcluded: () =>
      policy.exclude
        .filter(({ id, side }) => !sides.some((one) => (side === undefined || side === one) && found[one].has(id)))
        .map(({ id, side }) => Words.notExcluded(id, side)),
    unlisted: () => (ofStrangers === 0 ? [] : [Words.unlisted(ofStrangers, strangers)]),
    outside: () =>
      sides.flatMap((side) => (count[side] === 0 || inside[side] ? [] : [Words.outside(side, count[side])]))
  }
}
