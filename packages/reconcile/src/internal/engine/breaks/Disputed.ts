/**
 * Finds entries in dispute: their source told several contents of one identity, no longer shows the entry, or took its status
 * back. They are matched with nothing, so outcomes of entries that are equal to one of them have to name it.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as Words from "../../explain/Words.ts"
import { at, item } from "../ledger/Column.ts"
import type { ConflictVersions } from "../ledger/ConflictVersions.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"

/** The contents of each identity that has several. */
export type BySide = Readonly<Record<Entry.Side, ReadonlyArray<ReadonlyArray<Entry.Entry>>>>

/** The disputed entries that may be counterparts of an entry. */
interface Near {
  /** Those of equal amount in the window. */
  readonly candidates: ReadonlyArray<Candidate>
  /** The candidates whose amount is equal in the content that is told now. */
  readonly own: ReadonlyArray<Candidate>
  /** Whether one of them was told in several versions. Then nothing is final before somebody clears that up. */
  readonly isConflict: boolean
  /**
   * Entries of another amount that were told in several versions. They lie in the window, or in the horizon with the same
   * reference. A fee, the tolerance, the reference or a sum may make one of them the counterpart.
   */
  readonly unlike: ReadonlyArray<Candidate>
}

export interface Disputed {
  readonly isAny: boolean
  readonly near: (side: Entry.Side, index: number) => Near
}

interface Version {
  readonly entry: Entry.Entry
  readonly account: string | undefined
  readonly because: Because.Note
  /** The number of versions; 1 if the entry is in dispute for another reason. */
  readonly count: number
  /** The position in the ledger. Identities of which several contents came are not in it. */
  readonly index: number | undefined
  /** Whether this is the content that is told now, and not another one. */
  readonly isOwn: boolean
}

/** The largest number of disputed entries that are named. */
const NAMED = 3

const nothing: Near = { candidates: [], own: [], isConflict: false, unlike: [] }

const isConflict = ({ count }: Version): boolean => count > 1

/** Lists every version that could have been a counterpart, in no order. */
const versionsOf = (
  { ledger }: Workbench,
  side: Entry.Side,
  conflicts: BySide,
  { accountOf, direction }: Terms,
  contents: ConflictVersions
): ReadonlyArray<Version> => {
  const found: Array<Version> = []
  const add = (entry: Entry.Entry, because: Because.Note, count: number, index?: number, isOwn = true): void => {
    if (entry.status === "failed" && count > 1) return
    if (side === "transfer" && !direction.counts(entry)) return
    found.push({ entry, account: accountOf(entry), because, count, index, isOwn })
  }
  for (const versions of conflicts[side]) {
    for (const entry of versions) add(entry, { code: "versions", versions: versions.length }, versions.length)
  }
  const { entries, objections, open } = ledger[`${side}s`]
  for (const [index, objection] of objections) {
    // An entry that the policy excludes, or that somebody linked, is not in dispute.
    if (open[index] !== 1) continue
    const entry = item(entries, index)
    if (objection !== "source-conflict") {
      add(entry, { code: "objected", objected: Words.objectedOf(objection, entry) }, 1, index)
      continue
    }
    const others = contents(entry)
    const count = others.length + 1
    const because = { code: "versions", versions: count } as const
    add(entry, because, count, index)
    for (const other of others) if (other.entry !== undefined) add(other.entry, because, count, index, false)
  }
  return found
}

const byTime = (one: Version, other: Version): number =>
  one.entry.at - other.entry.at || (one.entry.id < other.entry.id ? -1 : one.entry.id > other.entry.id ? 1 : 0) ||
  (one.isOwn === other.isOwn ? 0 : one.isOwn ? -1 : 1)

const firstFrom = (versions: ReadonlyArray<Version>, time: number): number => {
  let [low, high] = [0, versions.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (item(versions, middle).entry.at < time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Collects the disputed entries. This runs before the tiers, because an open entry with an objection will be matched with
 * nothing.
 */
export const make = (
  bench: Workbench,
  conflicts: BySide,
  terms: Terms,
  contents: ConflictVersions
): Disputed => {
  const { finality, ledger } = bench
  const { deposits, transfers } = ledger
  if (
    conflicts.deposit.length + conflicts.transfer.length + deposits.objections.size + transfers.objections.size === 0
  ) return { isAny: false, near: () => nothing }
  const alias = Policy.aliasOf(ledger.policy)
  const keyOf = ({ amount, asset }: Entry.Entry): string => `${alias(asset)} ${Amount.canonical(amount)}`
  /** Returns a key that entries of one asset and one reference share; nothing where the reference is absent or ignored. */
  const bearing = ({ asset, reference }: Entry.Entry): string | undefined =>
    ledger.policy.reference === "ignore" || reference === undefined || reference === ""
      ? undefined
      : JSON.stringify([alias(asset), reference])
  const disputed = (side: Entry.Side) => {
    const versions = versionsOf(bench, side, conflicts, terms, contents).toSorted(byTime)
    const told = versions.filter(isConflict)
    const bearers = Map.groupBy(told, ({ entry }) => bearing(entry))
    bearers.delete(undefined)
    return {
      equal: Map.groupBy(versions, ({ entry }) => keyOf(entry)),
      conflicts: Map.groupBy(told, ({ entry }) => alias(entry.asset)),
      bearers
    }
  }
  const versions = { deposit: disputed("deposit"), transfer: disputed("transfer") }
  /** The key of each class of equal amounts. */
  const keys = new Map<number, string>()
  const keyOfClass = (amountClass: number, entry: Entry.Entry): string => {
    const key = keys.get(amountClass) ?? keyOf(entry)
    keys.set(amountClass, key)
    return key
  }

  const near: Disputed["near"] = (side, position) => {
    const own = ledger[`${side}s`]
    const other = own.other.side
    const entry = item(own.entries, position)
    const key = keyOfClass(at(own.amountClass, position), entry)
    const equal = versions[other].equal.get(key) ?? []
    const conflicts = versions[other].conflicts.get(alias(entry.asset)) ?? []
    const bearers = versions[other].bearers.get(bearing(entry)) ?? []
    if (equal.length + conflicts.length === 0) return nothing
    const account = at(own.account, position) < 0 ? undefined : item(ledger.accounts, at(own.account, position))
    const [from, to] = own.windowOf(position)
    const isAllowed = (version: Version): boolean =>
      version.index !== undefined && version.isOwn
        ? ledger.compatible(...own.pair(position, version.index))
        : account === undefined || version.account === undefined || account === version.account
    const isInWindow = ({ entry: { at }, index, isOwn }: Version): boolean =>
      index !== undefined && isOwn ? Window.holds(ledger, ...own.pair(position, index)) : from <= at && at <= to
    const isCandidate = (version: Version): boolean => isAllowed(version) && isInWindow(version)
    const found = new Map<string, Candidate>()
    const foundAsTold = new Map<string, Candidate>()
    let isAnyConflict = false
    for (let place = firstFrom(equal, from); place < equal.length && foundAsTold.size < NAMED; place++) {
      const version = item(equal, place)
      if (version.entry.at > to) break
      if (!isCandidate(version)) continue
      const { id } = version.entry
      if (version.index !== undefined) {
        finality.look(...own.pair(position, version.index))
      }
      isAnyConflict ||= isConflict(version)
      const candidate: Candidate = { side: other, id, because: version.because }
      if (version.isOwn) foundAsTold.set(id, candidate)
      if (found.size < NAMED) found.set(id, candidate)
    }
    const unlike = new Map<string, Candidate>()
    const lookAt = (list: ReadonlyArray<Version>, [first, last]: Window.Bounds, isNear: (one: Version) => boolean) => {
      for (let place = firstFrom(list, first); place < list.length && unlike.size < NAMED; place++) {
        const version = item(list, place)
        if (version.entry.at > last) break
        if (keyOf(version.entry) === key || !isAllowed(version) || !isNear(version)) continue
        if (version.index !== undefined) finality.look(...own.pair(position, version.index))
        const { id } = version.entry
        if (!found.has(id)) {
          unlike.set(id, { side: other, id, because: { code: "unlike-versions", versions: version.count } })
        }
      }
    }
    lookAt(conflicts, [from, to], isInWindow)
    lookAt(bearers, own.horizonOf(position), () => true)
    return {
      candidates: Array.from(found.values()),
      own: Array.from(foundAsTold.values()),
      isConflict: isAnyConflict,
      unlike: Array.from(unlike.values())
    }
  }
  return { isAny: true, near }
}
