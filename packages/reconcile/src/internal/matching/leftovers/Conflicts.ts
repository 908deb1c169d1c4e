/** Versions of conflicting records that would be the counterpart of an open entry. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Policy from "../../../Policy.ts"
import { at, item } from "../Column.ts"
import type { Direction } from "../Direction.ts"
import type { Ledger } from "../Ledger.ts"

/** One identity with several contents. */
export type BySide = Readonly<Record<Entry.Side, ReadonlyArray<ReadonlyArray<Entry.Entry>>>>

interface Version {
  readonly entry: Entry.Entry
  readonly account: string | undefined
  readonly versions: number
}

/** The most that are named. */
const NAMED = 3

/** Names what each entry may be looking for among the conflicts. */
export const make = (
  ledger: Ledger,
  conflicts: BySide,
  direction: Direction
): (side: Entry.Side, index: number) => ReadonlyArray<Outcome.Candidate> => {
  if (conflicts.deposit.length + conflicts.transfer.length === 0) return () => []
  const alias = Policy.aliasOf(ledger.policy)
  const keyOf = ({ amount, asset }: Entry.Entry): string => `${alias(asset)} ${Amount.canonical(amount)}`
  const index = (side: Entry.Side): ReadonlyMap<string, ReadonlyArray<Version>> => {
    const found = new Map<string, Array<Version>>()
    for (const versions of conflicts[side]) {
      for (const entry of versions) {
        if (entry.status === "failed" || (side === "transfer" && !direction.counts(entry))) continue
        const account = side === "transfer"
          ? direction.accountOf(entry)
          : entry.account === undefined || entry.account === ""
          ? undefined
          : direction.canonical(entry.account)
        const version = { entry, account, versions: versions.length }
        const known = found.get(keyOf(entry))
        if (known === undefined) found.set(keyOf(entry), [version])
        else known.push(version)
      }
    }
    return found
  }
  const versionsOf = { deposit: index("deposit"), transfer: index("transfer") }

  return (side, position) => {
    const own = side === "deposit" ? ledger.deposits : ledger.transfers
    const other = side === "deposit" ? "transfer" : "deposit"
    const entry = item(own.entries, position)
    const account = at(own.account, position) < 0 ? undefined : item(ledger.accounts, at(own.account, position))
    const { after, before } = side === "deposit"
      ? ledger.rule(position).window
      : ledger.widest(at(own.group, position))
    const isCandidate = (version: Version): boolean => {
      const lag = side === "deposit" ? version.entry.at - entry.at : entry.at - version.entry.at
      return lag >= -before && lag <= after &&
        (account === undefined || version.account === undefined || account === version.account)
    }
    const found = new Map<string, Outcome.Candidate>()
    for (const version of versionsOf[other].get(keyOf(entry)) ?? []) {
      if (found.size >= NAMED) break
      if (!isCandidate(version)) continue
      found.set(version.entry.id, {
        side: other,
        id: version.entry.id,
        reason: `a ${other} of that amount exists in ${version.versions} versions`
      })
    }
    return Array.from(found.values())
  }
}
