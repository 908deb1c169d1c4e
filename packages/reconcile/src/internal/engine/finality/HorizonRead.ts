/** Judges whether everything that an open entry could still belong to is itself closed. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import { at, item, lowerBound } from "../ledger/Column.ts"
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

/** The times of the entries of one key that are not closed, ascending: of all, and of each account. */
interface Open {
  readonly all: Array<number>
  readonly byAccount: Map<number, Array<number>>
}

/** Whether an interval holds only closed entries. Only entries whose account may be `account` are looked at; -1 means all. */
type AreClosed = (key: number, account: number, from: number, to: number) => boolean

const push = (times: Array<number> | undefined, time: number): Array<number> => {
  if (times === undefined) return [time]
  times.push(time)
  return times
}

const holdsOne = (times: ReadonlyArray<number> | undefined, from: number, to: number): boolean => {
  if (times === undefined) return false
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (item(times, middle) < from) low = middle + 1
    else high = middle
  }
  return low < times.length && item(times, low) <= to
}

/** Makes this test. Most keys have no entry that is not closed, so only such entries are listed. */
const areClosed = (side: Side, keys: Int32Array, isClosed: (index: number) => boolean): AreClosed => {
  const find = (): ReadonlyMap<number, Open> => {
    const found = new Map<number, Open>()
    for (let index = 0; index < keys.length; index++) {
      const key = at(keys, index)
      if (key < 0 || side.eligible[index] !== 1 || isClosed(index)) continue
      const open: Open = found.get(key) ?? { all: [], byAccount: new Map() }
      found.set(key, open)
      const [account, time] = [at(side.account, index), at(side.at, index)]
      open.all.push(time)
      open.byAccount.set(account, push(open.byAccount.get(account), time))
    }
    return found
  }
  let known: ReadonlyMap<number, Open> | undefined
  return (key, account, from, to) => {
    known ??= find()
    const open = known.get(key)
    if (open === undefined) return true
    if (account < 0) return !holdsOne(open.all, from, to)
    return !holdsOne(open.byAccount.get(account), from, to) && !holdsOne(open.byAccount.get(-1), from, to)
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
  const { deposits, transfers } = ledger
  const ofSide = (side: Side, isClosed: (index: number) => boolean) => ({
    inClass: areClosed(side, side.amountClass, isClosed),
    inGroup: areClosed(side, side.group, isClosed),
    ofAlike: lookAlikes === undefined ? undefined : areClosed(side, lookAlikes[`${side.side}s`], isClosed)
  })
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
