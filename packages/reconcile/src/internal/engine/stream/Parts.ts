/**
 * Sorts entries into parts as they come. Two entries are in one part if a rule about equal amounts, equal references or equal
 * ids could compare them, at once or through others. A part closes when no entry that is still to come could join it. What
 * these rules say of a closed part is what they say of everything at once.
 *
 * A part that grows too large is given away entry by entry, and is then no part any more.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import type { Terms } from "../ledger/Terms.ts"

interface Part {
  /** The entries; none once they went to another part or were given away. */
  entries: Array<Entry.Entry>
  /** The time of its earliest entry, Unix ms. */
  first: number
  /** The time of its latest entry, Unix ms. */
  last: number
  /** The time after which no entry can join it, Unix ms. */
  until: number
  /** Whether the rules of its amounts and references may not be all there is to say of it. */
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
  /** Takes an entry that is not earlier than those before, and adds entries that are in no part because of it to `loose`. */
  readonly add: (entry: Entry.Entry, loose: Array<Entry.Entry>) => void
  /** Returns what is closed once no entry before `watermark` (Unix ms) is still to come. */
  readonly close: (watermark: number) => Closed
  /** Forgets the ids of entries that are decided. An entry with the same id that comes later is another entry. */
  readonly forget: (entries: Iterable<Entry.Entry>) => void
  /** The time of the earliest entry that is in a part, Unix ms; infinity if there is none. */
  readonly earliest: () => number
  /** The number of entries that are in parts. */
  readonly size: () => number
}

/** Where an entry of a class of equal amounts and of one account, `undefined` if unknown, finds the entries before it. */
interface Place {
  account: string | undefined
  /** The part of the last of them. */
  part: Part
  /** Earlier parts that are still open, in which a transfer back may find the one that it cancels. */
  passed: Array<Part> | undefined
}

/** A class of equal amounts. Most have one account, and so one place. */
interface Class extends Place {
  others: Map<string | undefined, Place> | undefined
}

/** What is known of the assets that count as equal. */
interface Group {
  /** The classes of equal amounts, by canonical amount. */
  readonly classes: Map<string, Class>
  /** The part of the last bearer of each reference. */
  readonly bearers: Map<string, Part>
}

/** The largest number of entries in a part, unless a test wants another. */
const LARGEST = 4096

/** The entries of a part that has none. Nothing is ever added to this list: an entry that joins a small part makes a new one. */
const none: Array<Entry.Entry> = []

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

/** Whether a transfer names another account than its ends do. What it cancels, or is cancelled by, is not in its class then. */
const isElsewhere = (direction: Terms["direction"], entry: Entry.Entry): boolean => {
  const { account, side, to } = entry
  if (side !== "transfer" || to === undefined || account === undefined || account === "") return false
  return direction.accountOf(entry) !== direction.accountOf({ ...entry, account: "" })
}

export const make = ({ accountOf, direction, groupOf, policy }: Terms, largest = LARGEST): Parts => {
  const reach = reaches(policy)
  const usesReferences = policy.reference !== "ignore"
  // Where amounts may differ, entries of any amount may be compared, and nothing is in a part.
  const isOff = AmountRule.areUnlike(policy)
  const linked = {
    deposit: new Set(policy.links.flatMap(({ deposits }) => deposits)),
    transfer: new Set(policy.links.flatMap(({ transfers }) => transfers))
  }

  const groups = new Map<string, Group>()
  const ids = { deposit: new Map<string, Part>(), transfer: new Map<string, Part>() }
  let parts: Array<Part> = []
  let size = 0
  /** The number of classes, of their accounts, and of references. */
  let known = 0
  let swept = 1024

  const loosen = (part: Part, loose: Array<Entry.Entry>): void => {
    for (const entry of part.entries) loose.push(entry)
    size -= part.entries.length
    part.entries = none
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
    from.entries = none
    from.into = into
    into.first = Math.min(into.first, from.first)
    into.last = Math.max(into.last, from.last)
    into.until = Math.max(into.until, from.until)
    into.isOdd ||= from.isOdd
    return into
  }

  /** Forgets what lies too far behind the watermark to be near anything that comes. */
  const sweep = (watermark: number): void => {
    if (known < swept || watermark === Number.POSITIVE_INFINITY) return
    const farthest = Math.max(reach.equal, reach.back)
    const isOver = (part: Part): boolean => rootOf(part).last + farthest < watermark
    known = 0
    for (const { bearers, classes } of groups.values()) {
      for (const [amount, { others, part }] of classes) {
        if (others !== undefined) {
          for (const [account, place] of others) if (isOver(place.part)) others.delete(account)
          known += others.size
        }
        if (isOver(part) && (others === undefined || others.size === 0)) classes.delete(amount)
      }
      for (const [key, part] of bearers) if (rootOf(part).last + reach.bearer < watermark) bearers.delete(key)
      known += classes.size + bearers.size
    }
    swept = 2 * known + 1024
  }

  /** Puts the part of the latest entry in its place. */
  const replace = (place: Place, part: Part, time: number): void => {
    const before = rootOf(place.part)
    place.part = part
    if (before === part || before.until < time) return
    place.passed ??= []
    // Those that closed meanwhile are left out now and then.
    if (place.passed.length % 16 === 15) place.passed = place.passed.filter((one) => rootOf(one).until >= time)
    place.passed.push(before)
  }

  const add = (entry: Entry.Entry, loose: Array<Entry.Entry>): void => {
    const { amount, asset, at, id, past, reference, side, to } = entry
    const last = side === "deposit" && policy.lagFrom === "settled" ? Math.max(at, past?.settledAt ?? at) : at
    const isBearer = usesReferences && reference !== undefined && reference !== ""
    // A transfer back may cancel a transfer, and cancels none itself if it is in a flow.
    const isBack = side === "transfer" && to !== undefined && direction.isAgainst(entry)
    const within = isBack ? Math.max(reach.equal, reach.back) : reach.equal
    const until = Math.max(
      last + reach.equal,
      side === "transfer" && to !== undefined ? at + reach.back : 0,
      isBearer ? last + reach.bearer : 0
    )
    size++

    /** The part that the entry joins. */
    let met: Part | undefined
    const meet = (other: Part, reach: number): boolean => {
      const root = rootOf(other)
      if (at - root.last > reach) return false
      met = met === undefined ? root : join(met, root, loose)
      return true
    }

    const twin = ids[side].get(id)
    if (twin !== undefined) meet(twin, Number.POSITIVE_INFINITY)

    const name = groupOf(asset)
    let group = groups.get(name)
    if (group === undefined) groups.set(name, group = { classes: new Map(), bearers: new Map() })
    const key = Amount.canonical(amount)
    const ofClass = group.classes.get(key)
    const account = accountOf(entry)
    const meetAt = (place: Place | undefined): boolean => {
      if (place === undefined) return false
      if (isBack) { for (const part of place.passed ?? []) meet(part, within) }
      return meet(place.part, within)
    }
    if (ofClass !== undefined && account !== undefined) {
      if (ofClass.account === account || ofClass.account === undefined) meetAt(ofClass)
      meetAt(ofClass.others?.get(undefined))
      meetAt(ofClass.others?.get(account))
    } else if (ofClass !== undefined) {
      // From now on the unknown account stands for all that it meets.
      if (ofClass.account !== undefined) {
        ofClass.others ??= new Map()
        ofClass.others.set(ofClass.account, { account: ofClass.account, part: ofClass.part, passed: ofClass.passed })
        const unknown = ofClass.others.get(undefined)
        ofClass.others.delete(undefined)
        ofClass.account = undefined
        ofClass.part = unknown?.part ?? ofClass.part
        ofClass.passed = unknown?.passed
      }
      meetAt(ofClass)
      for (const [name, place] of ofClass.others ?? []) {
        if (!meetAt(place)) continue
        ofClass.others?.delete(name)
        if (place.passed !== undefined) ofClass.passed = [...ofClass.passed ?? [], ...place.passed]
      }
    }

    const bearer = isBearer ? group.bearers.get(reference) : undefined
    if (bearer !== undefined) meet(bearer, reach.bearer)

    const part: Part = met ?? { entries: none, first: at, last, until, isOdd: false, isLoose: false, into: undefined }
    if (met === undefined) parts.push(part)
    part.last = Math.max(part.last, last)
    part.until = Math.max(part.until, until)
    part.isOdd ||= twin !== undefined || linked[side].has(id) || isElsewhere(direction, entry)
    // A list that is made longer by pushing has room for sixteen more, and nearly all parts have two entries.
    if (part.entries.length < 4) part.entries = [...part.entries, entry]
    else part.entries.push(entry)

    ids[side].set(id, part)
    if (isBearer) {
      if (bearer === undefined) known++
      group.bearers.set(reference, part)
    }
    if (ofClass === undefined) {
      group.classes.set(key, { account, part, passed: undefined, others: undefined })
      known++
    } else if (ofClass.account === account) replace(ofClass, part, at)
    else {
      ofClass.others ??= new Map()
      const place = ofClass.others.get(account)
      if (place === undefined) {
        ofClass.others.set(account, { account, part, passed: undefined })
        known++
      } else replace(place, part, at)
    }
    if (isOff || part.isLoose || part.entries.length > largest) loosen(part, loose)
  }

  return {
    add,
    close: (watermark) => {
      const loose: Array<Entry.Entry> = []
      const closed: Array<ReadonlyArray<Entry.Entry>> = []
      const open: Array<Part> = []
      for (const part of parts) {
        if (part.into !== undefined || part.isLoose) continue
        if (part.until >= watermark) open.push(part)
        else if (part.isOdd) loosen(part, loose)
        else {
          closed.push(part.entries)
          size -= part.entries.length
          part.entries = none
          part.isLoose = true
        }
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
