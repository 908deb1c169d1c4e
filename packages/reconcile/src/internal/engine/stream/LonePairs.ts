/**
 * Finds pairs that can be compared with no other entry: a deposit and a transfer of equal amount in the window, with no other
 * entry of that amount near either of them. Most matches are such pairs, and they need none of the tiers. All other entries
 * are passed on without them, some time later.
 *
 * Only plain entries are taken, because a reference, an address or the ends of a transfer may connect an entry with others
 * that are farther away.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Policy from "../../../Policy.ts"
import * as Past from "../../Past.ts"
import * as Rules from "../../policy/Rules.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"

interface Step {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  /** Everything that is known so far about the reading. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** The time before which no entry is still to come, Unix ms. */
  readonly watermark: number
  /** Whether no entry at all is still to come. */
  readonly ended: boolean
}

interface Sieved {
  readonly pairs: ReadonlyArray<Outcome.Outcome>
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  /** The time before which no entry is still to be passed on. */
  readonly watermark: number
}

export interface LonePairs {
  readonly sieve: (step: Step) => Sieved
  /** Returns the number of entries that are held back. */
  readonly held: () => number
}

interface Node {
  readonly entry: Entry.Entry
  readonly key: string
  /**
   * The time when a deposit was first seen settled, if that was later than its own time, else its own time; Unix ms. Its
   * counterpart may lie near that time as well.
   */
  readonly until: number
  /** Whether the entry may be in a lone pair, judged by itself. */
  isPlain: boolean
  /** Whether the entry is in a pair or was passed on. */
  isGone: boolean
}

/** The largest number of entries of one amount that are compared. While there are more, none of them is taken. */
const LOOKS = 12

/** The entries of one amount that are held, or that are near to entries still to come. */
interface Class {
  count: number
  /** The entries, or nothing once there have been more than `LOOKS`. */
  members: Array<Node> | undefined
}

/** The fields that could connect an entry with entries of other amounts. */
const ties = ["reference", "address", "memo", "network", "from", "to", "fromType", "toType"] as const

const isUntied = (entry: Entry.Entry): boolean => {
  for (const key of ties) if (entry[key] !== undefined) return false
  return true
}

/** Whether there can be any pair at all. The service's own records all carry one of these fields. */
export const isPossible = (deposits: ReadonlyArray<Entry.Entry>, transfers: ReadonlyArray<Entry.Entry>): boolean =>
  deposits.some(isUntied) && transfers.some(isUntied)

/** Returns how far entries of equal amount may lie from each other and still be compared, in ms. */
const reachOf = ({ per, ...general }: Policy.Resolved): number =>
  Math.max(...[general, ...per].map(({ window }) => Math.abs(window.before) + Math.abs(window.after)))

const sides = ["deposits", "transfers"] as const

/** Whether both sides were read completely around a time, for all accounts. */
const readAround = (coverage: ReadonlyArray<Coverage.Coverage>, reach: number) => {
  const [deposits, transfers] = sides.map((operation) =>
    coverage.filter((one) => one.operation === operation && one.query === undefined && one.state === "complete")
  )
  const holds = (complete: ReadonlyArray<Coverage.Coverage> | undefined, at: number): boolean =>
    complete?.some(({ from, to }) => from <= at - reach && to > at + reach) ?? false
  return (at: number): boolean => holds(deposits, at) && holds(transfers, at)
}

export const make = (policy: Policy.Resolved): LonePairs => {
  const reach = reachOf(policy)
  const representative = Policy.aliasOf(policy)
  const ruleOf = Rules.rules(policy)
  const bounded = new Set(Object.keys(policy.minAmount).map(representative))
  const named = {
    deposit: new Set([
      ...policy.exclude.map(({ id }) => id),
      ...policy.links.flatMap(({ deposits }) => deposits),
      ...policy.forbid.map(({ deposit }) => deposit)
    ]),
    transfer: new Set([
      ...policy.exclude.map(({ id }) => id),
      ...policy.links.flatMap(({ transfers }) => transfers),
      ...policy.forbid.map(({ transfer }) => transfer)
    ])
  }
  // If amounts may differ, entries of other amounts may be compared with a pair.
  const isOff = policy.reference === "only" || AmountRule.areUnlike(policy)

  const classes = new Map<string, Class>()
  const ids = { deposit: new Map<string, Node>(), transfer: new Map<string, Node>() }
  let held: Array<Node> = []
  /** Entries that were passed on or taken, but are still near to entries that may come. */
  let past: Array<Node> = []

  const nodeOf = (entry: Entry.Entry): Node => {
    const group = representative(entry.asset)
    const until = policy.lagFrom === "settled" && entry.side === "deposit"
      ? Math.max(entry.at, entry.past?.settledAt ?? entry.at)
      : entry.at
    const isPlain = !isOff && entry.status === "settled" && isUntied(entry) && !bounded.has(group) &&
      !named[entry.side].has(entry.id) && Past.objection(entry.status, entry.past) === undefined && until === entry.at
    return { entry, key: `${group} ${Amount.canonical(entry.amount)}`, until, isPlain, isGone: false }
  }
  const take = (node: Node): void => {
    held.push(node)
    const known = classes.get(node.key)
    if (known === undefined) classes.set(node.key, { count: 1, members: [node] })
    else {
      known.count++
      known.members?.push(node)
      if (known.count > LOOKS) known.members = undefined
    }
    const { id, side } = node.entry
    const twin = ids[side].get(id)
    if (twin === undefined) ids[side].set(id, node)
    else {
      twin.isPlain = false
      node.isPlain = false
    }
  }
  const forget = (node: Node): void => {
    const known = classes.get(node.key)
    if (known !== undefined) {
      known.count--
      known.members?.splice(known.members.indexOf(node), 1)
      if (known.count === 0) classes.delete(node.key)
    }
    const { id, side } = node.entry
    if (ids[side].get(id) === node) ids[side].delete(id)
  }

  /** Returns the least time between two entries. */
  const apart = (one: Node, other: Node): number => Math.max(0, one.entry.at - other.until, other.entry.at - one.until)

  /** Finds the only other entry of the amount near this one. */
  const neighbour = (node: Node): Node | undefined => {
    let found: Node | undefined
    for (const other of classes.get(node.key)?.members ?? []) {
      if (other === node || apart(other, node) > reach) continue
      if (found !== undefined) return undefined
      found = other
    }
    return found
  }
  const isPair = ({ entry: deposit }: Node, { entry: transfer }: Node): boolean => {
    if (deposit.account !== transfer.account && deposit.account && transfer.account) return false
    const { after, before } = ruleOf(deposit.asset, undefined).window
    const lag = transfer.at - deposit.at
    return -before <= lag && lag <= after
  }
  const partner = (node: Node): Node | undefined => {
    if (!node.isPlain) return undefined
    const other = neighbour(node)
    if (other === undefined || !other.isPlain || other.isGone || other.entry.side === node.entry.side) return undefined
    if (neighbour(other) !== node) return undefined
    const isForth = node.entry.side === "deposit" ? isPair(node, other) : isPair(other, node)
    return isForth ? other : undefined
  }

  const sieve = ({ coverage, deposits, ended, transfers, watermark }: Step): Sieved => {
    for (const entry of deposits) take(nodeOf(entry))
    for (const entry of transfers) take(nodeOf(entry))
    // Everything around an entry before the cut has come, and so has everything around its neighbours.
    const cut = ended ? Number.POSITIVE_INFINITY : watermark - 2 * reach
    const isRead = readAround(coverage, reach)
    const pairs: Array<Outcome.Outcome> = []
    const rest = { deposit: new Array<Entry.Entry>(), transfer: new Array<Entry.Entry>() }
    const later: Array<Node> = []
    for (const node of held) {
      const { entry } = node
      if (!ended && entry.at >= cut) {
        later.push(node)
        continue
      }
      past.push(node)
      if (node.isGone) continue
      node.isGone = true
      const other = partner(node)
      if (other === undefined || !isRead(entry.at) || !isRead(other.entry.at)) {
        rest[entry.side].push(entry)
        continue
      }
      other.isGone = true
      pairs.push(entry.side === "deposit" ? Outcomes.lone(entry, other.entry) : Outcomes.lone(other.entry, entry))
    }
    held = later
    const near: Array<Node> = []
    for (const node of past) {
      if (node.until >= cut - reach) near.push(node)
      else forget(node)
    }
    past = near
    return { pairs, deposits: rest.deposit, transfers: rest.transfer, watermark: cut }
  }
  return { sieve, held: () => held.length }
}
