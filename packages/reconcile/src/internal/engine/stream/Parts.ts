/**
 * Sorts entries into parts as they come. Two entries are in one part if a rule about equal amounts, equal references or equal
 * ids could compare them, at once or through others. A part closes when no entry that is still to come could join it. What
 * these rules say of a closed part is what they say of everything at once.
 *
 * A part that grows too large is given away entry by entry, and is then no part any more.
 */
import * as Amount from "@tallystick/core/Amount"
import * as AddressBook from "../../../AddressBook.ts"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type * as Decision from "../Decision.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Direction from "../ledger/Direction.ts"

interface Part {
  /** The entries; none once they went to another part or were given away. */
  entries: Array<Entry.Entry>
  /** The time of its earliest entry, Unix ms. */
  first: number
  /** The time after which no entry can join it, Unix ms. */
  until: number
  /** Whether two of its entries share an id, or a link names one of them. */
  isOdd: boolean
  /** Whether an entry that joins it is given away at once. */
  isLoose: boolean
  /** The part that took its entries. */
  into: Part | undefined
}

interface Closed {
  /** The entries of each part that nothing can join any more. */
  readonly parts: ReadonlyArray<ReadonlyArray<Entry.Entry>>
  /** Entries that are in no part. */
  readonly loose: ReadonlyArray<Entry.Entry>
}

export interface Parts {
  /**
   * Takes entries in order of time, none of them earlier than those before. Returns what is closed once no entry before
   * `watermark` (Unix ms) is still to come.
   */
  readonly take: (entries: ReadonlyArray<Entry.Entry>, watermark: number) => Closed
  /** Forgets the ids of entries that are decided. An entry with the same id that comes later is another entry. */
  readonly forget: (entries: Iterable<Entry.Entry>) => void
  /** The time of the earliest entry that is in a part, Unix ms; infinity if there is none. */
  readonly earliest: () => number
  /** The number of entries that are in parts. */
  readonly size: () => number
}

/** The last entry of a key, by time, and the part that it is in. */
interface Last {
  part: Part
  until: number
}

/** What came of one class of equal amounts. */
interface Class {
  /** By account. */
  readonly known: Map<string, Last>
  unknown: Last | undefined
}

/** The largest number of entries in a part, unless a test wants another. */
const LARGEST = 4096

const rootOf = (part: Part): Part => {
  let root = part
  while (root.into !== undefined) root = root.into
  return root
}

const reaches = (policy: Policy.Resolved) => {
  const rules = [policy, ...policy.per]
  const most = (of: (rule: Policy.Rule) => number): number => Math.max(...rules.map(of))
  return {
    /** How far entries of equal amount may lie from each other and still be compared, ms. */
    equal: most(({ window }) => Math.abs(window.before) + Math.abs(window.after)),
    /** How far a transfer back may lie behind the transfer that it cancels, ms. */
    back: most(({ late, window }) => Math.max(window.after, 0) + late),
    /** How far bearers of one reference may lie from each other, ms. */
    bearer: Policy.horizon(policy)
  }
}

export const make = (
  { accounts, addresses = [], policy }: Pick<Decision.Question, "policy" | "accounts" | "addresses">,
  largest = LARGEST
): Parts => {
  const reach = reaches(policy)
  const representative = Policy.aliasOf(policy)
  const direction = Direction.make(policy.flows, accounts)
  const lookup = AddressBook.lookup(addresses)
  const usesReferences = policy.reference !== "ignore"
  // Where amounts may differ, entries of any amount may be compared, and nothing is in a part.
  const isOff = AmountRule.areUnlike(policy)
  const linked = {
    deposit: new Set(policy.links.flatMap(({ deposits }) => deposits)),
    transfer: new Set(policy.links.flatMap(({ transfers }) => transfers))
  }

  const classes = new Map<string, Class>()
  const bearers = new Map<string, Last>()
  const ids = { deposit: new Map<string, Part>(), transfer: new Map<string, Part>() }
  let parts: Array<Part> = []
  let size = 0
  let swept = 1024

  const accountOf = (entry: Entry.Entry): string | undefined => {
    if (entry.side === "transfer") return direction.accountOf(entry)
    const { account, address, memo, network } = entry
    const name = account !== undefined && account !== ""
      ? account
      : address === undefined
      ? undefined
      : lookup(address, memo, network)
    return name === undefined ? undefined : direction.canonical(name)
  }

  const loosen = (part: Part, loose: Array<Entry.Entry>): void => {
    for (const entry of part.entries) loose.push(entry)
    size -= part.entries.length
    part.entries = []
    part.isLoose = true
  }
  /** Joins two parts. The smaller one goes into the larger one. */
  const join = (one: Part, other: Part, loose: Array<Entry.Entry>): Part => {
    const [left, right] = [rootOf(one), rootOf(other)]
    if (left === right) return left
    if (left.isLoose || right.isLoose) {
      if (!left.isLoose) loosen(left, loose)
      if (!right.isLoose) loosen(right, loose)
    }
    const [into, from] = left.entries.length >= right.entries.length ? [left, right] : [right, left]
    for (const entry of from.entries) into.entries.push(entry)
    from.entries = []
    from.into = into
    into.first = Math.min(into.first, from.first)
    into.until = Math.max(into.until, from.until)
    into.isOdd ||= from.isOdd
    return into
  }

  /** Forgets what lies too far behind the watermark to be near anything that comes. */
  const sweep = (watermark: number): void => {
    if (classes.size + bearers.size < swept) return
    const farthest = Math.max(reach.equal, reach.back)
    for (const [key, { known, unknown }] of classes) {
      for (const [account, { until }] of known) if (until + farthest < watermark) known.delete(account)
      if (known.size === 0 && (unknown === undefined || unknown.until + farthest < watermark)) classes.delete(key)
    }
    for (const [key, { until }] of bearers) if (until + reach.bearer < watermark) bearers.delete(key)
    swept = 2 * (classes.size + bearers.size) + 1024
  }

  const add = (entry: Entry.Entry, loose: Array<Entry.Entry>): void => {
    const { asset, at, id, past, reference, side, to } = entry
    const until = side === "deposit" && policy.lagFrom === "settled" ? Math.max(at, past?.settledAt ?? at) : at
    const isBearer = usesReferences && reference !== undefined && reference !== ""
    // A transfer back may cancel a transfer, and cancels none itself if it is in a flow.
    const isBack = side === "transfer" && to !== undefined && direction.isAgainst(entry)
    let part: Part = {
      entries: [entry],
      first: at,
      until: Math.max(
        until + reach.equal,
        side === "transfer" && to !== undefined ? at + reach.back : 0,
        isBearer ? until + reach.bearer : 0
      ),
      isOdd: linked[side].has(id),
      isLoose: false,
      into: undefined
    }
    size++
    parts.push(part)

    const twin = ids[side].get(id)
    if (twin !== undefined) {
      part = join(part, twin, loose)
      part.isOdd = true
    }
    ids[side].set(id, part)

    const group = representative(asset)
    const key = `${group} ${Amount.canonical(entry.amount)}`
    const ofClass = classes.get(key) ?? { known: new Map(), unknown: undefined }
    classes.set(key, ofClass)
    const within = isBack ? Math.max(reach.equal, reach.back) : reach.equal
    const meet = (last: Last | undefined): void => {
      if (last !== undefined && at - last.until <= within) part = join(part, last.part, loose)
    }
    const account = accountOf(entry)
    meet(ofClass.unknown)
    if (account === undefined) {
      let latest = Math.max(until, ofClass.unknown?.until ?? until)
      for (const last of ofClass.known.values()) {
        meet(last)
        latest = Math.max(latest, last.until)
      }
      // It stands for all accounts from now on.
      ofClass.known.clear()
      ofClass.unknown = { part, until: latest }
    } else {
      const known = ofClass.known.get(account)
      meet(known)
      ofClass.known.set(account, { part, until: Math.max(until, known?.until ?? until) })
    }

    if (isBearer) {
      const known = bearers.get(reference)
      if (known !== undefined && at - known.until <= reach.bearer) part = join(part, known.part, loose)
      bearers.set(reference, { part, until: Math.max(until, known?.until ?? until) })
    }
    part = rootOf(part)
    if (isOff || part.isLoose || part.entries.length > largest) loosen(part, loose)
  }

  return {
    take: (entries, watermark) => {
      const loose: Array<Entry.Entry> = []
      for (const entry of entries) add(entry, loose)
      const closed: Array<ReadonlyArray<Entry.Entry>> = []
      const open: Array<Part> = []
      for (const part of parts) {
        if (part.into !== undefined || part.isLoose) continue
        if (part.until < watermark) {
          if (part.isOdd) loosen(part, loose)
          else {
            closed.push(part.entries)
            size -= part.entries.length
            part.entries = []
            part.isLoose = true
          }
        } else open.push(part)
      }
      parts = open
      sweep(watermark)
      return { parts: closed, loose }
    },
    forget: (entries) => {
      for (const { id, side } of entries) ids[side].delete(id)
    },
    earliest: () => parts.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY),
    size: () => size
  }
}
