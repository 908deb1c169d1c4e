/**
 * Finds entries of pairs that were decided elsewhere and that what was not read may still change. An entry that nothing took
 * may belong to one of them once it is released.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import { stem } from "./LookAlike.ts"
import type { Terms } from "./Terms.ts"

/** An interval in Unix ms, both ends inclusive, and the account that is looked for there; `undefined` if it is unknown. */
interface Place {
  readonly from: number
  readonly to: number
  readonly account: string | undefined
}

export interface OpenPairs {
  readonly add: (entry: Entry.Entry) => void
  /** Forgets entries before a time, Unix ms. */
  readonly forget: (time: number) => void
  /**
   * Whether one of the entries of this side and alias group lies there. Its account is equal, or one of the two is unknown.
   * Without an amount, entries of any amount count.
   */
  readonly has: (side: Entry.Side, group: string, place: Place, amount?: string) => boolean
  /** Whether an entry of this side, of equal amount and of an asset that looks like this one, lies there. */
  readonly hasAlike: (side: Entry.Side, asset: string, place: Place, amount: string) => boolean
}

/** Entries in order of time. */
interface Line {
  entries: Array<Entry.Entry>
  isSorted: boolean
}

interface Group {
  readonly all: Line
  readonly byAmount: Map<string, Line>
}

const line = (): Line => ({ entries: [], isSorted: true })

const put = (line: Line, entry: Entry.Entry): void => {
  const last = line.entries.at(-1)
  if (last !== undefined && last.at > entry.at) line.isSorted = false
  line.entries.push(entry)
}

const firstAfter = (entries: ReadonlyArray<Entry.Entry>, time: number): number => {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.at ?? time) < time) low = middle + 1
    else high = middle
  }
  return low
}

export const make = ({ accountOf, groupOf }: Terms): OpenPairs => {
  const groups = { deposit: new Map<string, Group>(), transfer: new Map<string, Group>() }
  /** By stem and amount. */
  const alike = { deposit: new Map<string, Line>(), transfer: new Map<string, Line>() }
  const stems = new Map<string, string>()
  const stemOf = (asset: string): string => {
    const known = stems.get(asset) ?? stem(asset)
    stems.set(asset, known)
    return known
  }
  const isIn = (line: Line | undefined, { account, from, to }: Place): boolean => {
    if (line === undefined) return false
    if (!line.isSorted) line.entries.sort((one, other) => one.at - other.at)
    line.isSorted = true
    const { entries } = line
    for (let place = firstAfter(entries, from); place < entries.length; place++) {
      const entry = entries[place]
      if (entry === undefined || entry.at > to) return false
      const other = account === undefined ? undefined : accountOf(entry)
      if (other === undefined || other === account) return true
    }
    return false
  }
  return {
    add: (entry) => {
      const name = groupOf(entry.asset)
      const ofSide = groups[entry.side]
      const group = ofSide.get(name) ?? { all: line(), byAmount: new Map<string, Line>() }
      ofSide.set(name, group)
      const amount = Amount.canonical(entry.amount)
      const equals = group.byAmount.get(amount) ?? line()
      group.byAmount.set(amount, equals)
      put(group.all, entry)
      put(equals, entry)
      const key = `${stemOf(entry.asset)} ${amount}`
      const alikes = alike[entry.side].get(key) ?? line()
      alike[entry.side].set(key, alikes)
      put(alikes, entry)
    },
    forget: (time) => {
      const isKept = ({ at }: Entry.Entry): boolean => at >= time
      const forgetIn = (lines: Map<string, Line>): void => {
        for (const [key, one] of lines) {
          one.entries = one.entries.filter(isKept)
          if (one.entries.length === 0) lines.delete(key)
        }
      }
      for (const ofSide of [groups.deposit, groups.transfer]) {
        for (const { all, byAmount } of ofSide.values()) {
          all.entries = all.entries.filter(isKept)
          forgetIn(byAmount)
        }
      }
      forgetIn(alike.deposit)
      forgetIn(alike.transfer)
    },
    hasAlike: (side, asset, place, amount) => isIn(alike[side].get(`${stemOf(asset)} ${amount}`), place),
    has: (side, name, place, amount) => {
      const group = groups[side].get(name)
      return group !== undefined && isIn(amount === undefined ? group.all : group.byAmount.get(amount), place)
    }
  }
}
