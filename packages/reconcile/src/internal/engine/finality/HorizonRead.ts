/** Judges whether everything that an open entry could still belong to is itself closed. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import { at, bucket, type Buckets, firstNotBefore, item, lowerBound } from "../ledger/Column.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type { Side } from "../ledger/Ledger.ts"
import type { LookAlikes } from "../ledger/LookAlikes.ts"
import type { OpenPairs } from "../ledger/OpenPairs.ts"
import * as Window from "../ledger/Window.ts"

export interface HorizonRead {
  /** Whether every counterpart in the window, of whatever amount, belongs to a closed component. */
  readonly isQuiet: (side: Entry.Side, index: number) => boolean
  /**
   * Whether no equal counterpart within the horizon, and no counterpart in the window whose amount could do, belongs to a
   * component that unread entries could join. Such a counterpart might be released.
   */
  readonly isSettled: (side: Entry.Side, index: number) => boolean
  /**
   * Whether the same holds for entries that only an entry no tier took is compared with: equal counterparts of other accounts
   * and of assets that look alike in the window, and twins on its own side.
   */
  readonly isLeftAlone: (side: Entry.Side, index: number) => boolean
}

interface Counter {
  readonly indices: Int32Array
  /** Gives for each position how many entries before it are in components that are not closed. */
  readonly before: Int32Array
}

/** The counters of one key: for all its entries, and for each account. */
interface Counters {
  readonly all: Counter
  readonly byAccount: ReadonlyMap<number, Counter>
}

/** Whether an interval holds only closed entries. Only entries whose account may be `account` are looked at; -1 means all. */
type AreClosed = (key: number, account: number, from: number, to: number) => boolean

const counters = (side: Side, buckets: () => Buckets, isClosed: (index: number) => boolean): AreClosed => {
  const count = (indices: Int32Array): Counter => {
    const before = new Int32Array(indices.length + 1)
    indices.forEach((index, position) => (before[position + 1] = at(before, position) + (isClosed(index) ? 0 : 1)))
    return { indices, before }
  }
  const known = new Map<number, Counters>()
  let made: Buckets | undefined
  const countersOf = (key: number): Counters => {
    const counted = known.get(key)
    if (counted !== undefined) return counted
    made ??= buckets()
    const indices = made.of(key)
    const accounts = new Map<number, Array<number>>()
    for (const index of indices) {
      const account = at(side.account, index)
      const members = accounts.get(account)
      if (members === undefined) accounts.set(account, [index])
      else members.push(index)
    }
    const byAccount = new Map(
      Array.from(accounts, ([account, members]) => [account, count(Int32Array.from(members))] as const)
    )
    const counts = { all: count(indices), byAccount }
    known.set(key, counts)
    return counts
  }
  const areClosed = (counter: Counter | undefined, from: number, to: number): boolean => {
    if (counter === undefined) return true
    const { before, indices } = counter
    const [first, last] = [firstNotBefore(side.at, indices, from), firstNotBefore(side.at, indices, to + 1)]
    return at(before, last) === at(before, first)
  }
  return (key, account, from, to) => {
    const { all, byAccount } = countersOf(key)
    if (account < 0) return areClosed(all, from, to)
    return areClosed(byAccount.get(account), from, to) && areClosed(byAccount.get(-1), from, to)
  }
}

/** Deposits in order of time. `ends` gives for each position the farthest time that any deposit up to it looks ahead to. */
interface Frontier {
  readonly times: Float64Array
  readonly ends: Float64Array
}

const frontier = (ledger: Ledger.Ledger, deposits: ReadonlyArray<number>): Frontier => {
  const times = Float64Array.from(deposits, (deposit) => at(ledger.deposits.at, deposit))
  const ends = new Float64Array(times.length)
  deposits.forEach((deposit, position) => {
    const end = at(times, position) + Window.horizon(ledger, deposit).after
    ends[position] = position === 0 ? end : Math.max(end, at(ends, position - 1))
  })
  return { times, ends }
}

/** Whether the component of an entry is closed. */
export interface Closed {
  readonly deposit: (deposit: number) => boolean
  readonly transfer: (transfer: number) => boolean
}

/** Which entries of pairs that were decided elsewhere an entry may belong to, once they are released. */
type Like = "equal" | "equal-of-any-account" | "alike" | "any-amount"

/** Whether such a pair, which may still change, has an entry there. */
const isNearPair = (
  { accounts, assets }: Ledger.Ledger,
  openPairs: OpenPairs | undefined,
  { account, entries, group, other }: Side,
  index: number,
  [from, to]: Window.Bounds,
  like: Like
): boolean => {
  if (openPairs === undefined) return false
  const number = at(account, index)
  const own = number < 0 ? undefined : item(accounts, number)
  const entry = item(entries, index)
  const amount = Amount.canonical(entry.amount)
  if (like === "alike") return openPairs.hasAlike(other.side, entry.asset, { from, to, account: own }, amount)
  return openPairs.has(
    other.side,
    item(assets, at(group, index)),
    { from, to, account: like === "equal-of-any-account" ? undefined : own },
    like === "any-amount" ? undefined : amount
  )
}

export const make = (
  ledger: Ledger.Ledger,
  closed: Closed,
  lookAlikes: LookAlikes | undefined,
  openPairs?: OpenPairs
): HorizonRead => {
  const { amountClasses, deposits, groups, transfers } = ledger
  const ofSide = (side: Side, isClosed: (index: number) => boolean) => {
    const isEligible = (index: number): boolean => side.eligible[index] === 1
    return {
      inClass: counters(side, () => bucket(side.amountClass, amountClasses, isEligible), isClosed),
      inGroup: counters(side, () => bucket(side.group, groups, isEligible), isClosed),
      ofAlike: lookAlikes === undefined
        ? undefined
        : counters(side, () => bucket(lookAlikes[`${side.side}s`], lookAlikes.count, isEligible), isClosed)
    }
  }
  const others = {
    deposit: ofSide(transfers, closed.transfer),
    transfer: ofSide(deposits, closed.deposit)
  }
  const delayed = Map.groupBy(ledger.delayed, (deposit) => at(deposits.amountClass, deposit))
  const frontiers = new Map<number, Frontier>()
  const frontierOf = (key: number): Frontier => {
    const known = frontiers.get(key)
    if (known !== undefined) return known
    const made = frontier(ledger, (delayed.get(key) ?? []).filter((deposit) => !closed.deposit(deposit)))
    frontiers.set(key, made)
    return made
  }
  /** Whether the same holds for deposits that settled late. They look farther ahead than a transfer looks back. */
  const areDelayedClosed = (transfer: number): boolean => {
    const { ends, times } = frontierOf(at(transfers.amountClass, transfer))
    const [, to] = transfers.horizonOf(transfer)
    const earlier = lowerBound(times, to + 1)
    return earlier === 0 || at(ends, earlier - 1) < at(transfers.at, transfer)
  }
  const { grouping } = ledger.policy
  const isUnlike = grouping.manyToOne || grouping.oneToMany || AmountRule.areUnlike(ledger.policy)
  return {
    isLeftAlone: (name, index) => {
      const side = ledger[`${name}s`]
      const [account, key] = [at(side.account, index), at(side.amountClass, index)]
      const [from, to] = side.windowOf(index)
      const { inClass, ofAlike } = others[name]
      const alike = lookAlikes === undefined ? -1 : at(lookAlikes[`${name}s`], index)
      const twins = others[side.other.side].inClass
      const [reach, time] = [side.twinsWithin(index), at(side.at, index)]
      return inClass(key, -1, from, to) && (ofAlike === undefined || alike < 0 || ofAlike(alike, account, from, to)) &&
        twins(key, account, time - reach, time + reach) &&
        !isNearPair(ledger, openPairs, side, index, [from, to], "equal-of-any-account") &&
        !isNearPair(ledger, openPairs, side, index, [from, to], "alike")
    },
    isQuiet: (name, index) => {
      const side = ledger[`${name}s`]
      return others[name].inGroup(at(side.group, index), at(side.account, index), ...side.windowOf(index)) &&
        !isNearPair(ledger, openPairs, side, index, side.windowOf(index), "any-amount")
    },
    isSettled: (name, index) => {
      const side = ledger[`${name}s`]
      const account = at(side.account, index)
      const { inClass, inGroup } = others[name]
      const mayBeUnlike = isUnlike || account >= 0 || at(side.reference, index) >= 0
      return inClass(at(side.amountClass, index), account, ...side.horizonOf(index)) &&
        !isNearPair(ledger, openPairs, side, index, side.horizonOf(index), "equal") &&
        (name === "deposit" || areDelayedClosed(index)) &&
        (!mayBeUnlike ||
          (inGroup(at(side.group, index), account, ...side.windowOf(index)) &&
            !isNearPair(ledger, openPairs, side, index, side.windowOf(index), "any-amount")))
    }
  }
}
