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
  /** What its assets are called without case and network. */
  readonly stems: Set<string>
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
  /** The number of entries, and the number at which it is worth while to forget some. */
  let [size, swept] = [0, 0]
  const isIn = (line: Line | undefined, { account, from, to }: Place, isLike?: (asset: string) => boolean): boolean => {
    if (line === undefined) return false
    if (!line.isSorted) line.entries.sort((one, other) => one.at - other.at)
    line.isSorted = true
    const { entries } = line
    for (let place = firstAfter(entries, from); place < entries.length; place++) {
      const entry = entries[place]
      if (entry === undefined || entry.at > to) return false
      if (isLike?.(entry.asset) === false) continue
      const other = account === undefined ? undefined : accountOf(entry)
      if (other === undefined || other === account) return true
    }
    return false
  }
  return {
    add: (entry) => {
      const name = groupOf(entry.asset)
      const ofSide = groups[entry.side]
      let group = ofSide.get(name)
      if (group === undefined) {
        group = { all: line(), byAmount: new Map(), stems: new Set([stem(name)]) }
        ofSide.set(name, group)
      }
      const amount = Amount.canonical(entry.amount)
      let equals = group.byAmount.get(amount)
      if (equals === undefined) group.byAmount.set(amount, equals = line())
      put(group.all, entry)
      put(equals, entry)
      size++
      if (entry.asset !== name) group.stems.add(stem(entry.asset))
    },
    forget: (time) => {
      if (size < swept) return
      const isKept = ({ at }: Entry.Entry): boolean => at >= time
      size = 0
      for (const ofSide of [groups.deposit, groups.transfer]) {
        for (const { all, byAmount } of ofSide.values()) {
          all.entries = all.entries.filter(isKept)
          size += all.entries.length
          for (const [amount, equals] of byAmount) {
            equals.entries = equals.entries.filter(isKept)
            if (equals.entries.length === 0) byAmount.delete(amount)
          }
        }
      }
      swept = 2 * size + 1024
    },
    has: (side, name, place, amount) => {
      const group = groups[side].get(name)
      return group !== undefined && isIn(amount === undefined ? group.all : group.byAmount.get(amount), place)
    },
    hasAlike: (side, asset, place, amount) => {
      const own = stem(asset)
      const isLike = (other: string): boolean => stem(other) === own
      for (const { byAmount, stems } of groups[side].values()) {
        if (stems.has(own) && isIn(byAmount.get(amount), place, isLike)) return true
      }
      return false
    }
  }
}
