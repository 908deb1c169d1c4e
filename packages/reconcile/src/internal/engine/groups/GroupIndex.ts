/**
 * Finds the open counterparts in the window of an entry of either side, by account and, if references have to agree, by
 * reference. It can count them without listing them.
 */
import { take } from "../../kernel/Column.ts"
import * as AmountIndex from "../candidates/AmountIndex.ts"
import { type List, list } from "../candidates/CandidateIndex.ts"
import { at, item, lowerBound } from "../ledger/Column.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"

/** Entries in order of (time, id). They may be a part of a longer list, and are not to be changed. */
export interface Candidates {
  readonly items: Int32Array
  /** Their times, Unix ms. */
  readonly times: Float64Array
  /** Their amounts in units. They are rounded if they are not safe. */
  readonly units: Float64Array
}

export interface GroupIndex {
  /** Returns an upper bound of their number. Conditions that only a pair itself can show are not checked. */
  readonly atMost: (entry: number) => number
  /** Lists those that the entry may really have, by (time, id). */
  readonly of: (entry: number) => Candidates
  /** Returns about `size` of the counterparts that `atMost` counts, evenly spread. */
  readonly sample: (entry: number, size: number) => ReadonlyArray<number>
  /**
   * Counts the counterparts of `atMost` with amounts from `low` to `high`, in units. `sum` adds up the amounts of all of
   * `atMost`.
   */
  readonly count: (entry: number, low: bigint, high: bigint | undefined) => number
  readonly sum: (entry: number) => bigint
  /** Connects the entry with all counterparts of `atMost`. Neighbours that are known to be connected are joined once. */
  readonly connect: (entry: number, join: (other: number) => void) => void
}

interface Bucket {
  readonly indices: Array<number>
  list?: List & Candidates
  amounts?: AmountIndex.AmountIndex
  sums?: ReadonlyArray<bigint>
}

/** Reads the times and amounts of entries. */
export const candidates = (items: Int32Array, at: Float64Array, units: (index: number) => bigint): Candidates => ({
  items,
  times: take(at, items),
  units: Float64Array.from(items, (index) => Number(units(index)))
})

const ANY = 0
const NONE = 1

/** Makes the index for entries of `own`, over `others` in order of time. `units` gives the amounts of the others in one scale. */
export const make = (
  ledger: Ledger.Ledger,
  own: Ledger.Side,
  others: ReadonlyArray<number> | Int32Array,
  units: (other: number) => bigint
): GroupIndex => {
  const { policy } = ledger
  const { other } = own
  const { reference: mode } = policy
  const byReference = ledger.requiresReference
  const width = ledger.references + 2
  const keyOf = (account: number, reference: number): number => account * width + reference
  const buckets = new Map<number, Bucket>()
  for (const index of others) {
    const account = at(other.account, index) + 2
    const reference = at(other.reference, index) + 2
    const keys = [keyOf(ANY, ANY), keyOf(account, ANY)]
    if (byReference) keys.push(keyOf(ANY, reference), keyOf(account, reference))
    for (const key of keys) {
      const bucket = buckets.get(key)
      if (bucket === undefined) buckets.set(key, { indices: [index] })
      else bucket.indices.push(index)
    }
  }
  const lists = new Map<number, ReadonlyArray<Bucket>>()
  const bucketsOf = (entry: number): ReadonlyArray<Bucket> => {
    const account = at(own.account, entry)
    const reference = byReference ? at(own.reference, entry) : -1
    const both = keyOf(account + 1, reference + 1)
    const known = lists.get(both)
    if (known !== undefined) return known
    const accounts = account < 0 ? [ANY] : [account + 2, NONE]
    const references = !byReference
      ? [ANY]
      : mode === "only"
      ? (reference < 0 ? [] : [reference + 2])
      : reference < 0
      ? [ANY]
      : [reference + 2, NONE]
    const found = accounts.flatMap((name) => references.flatMap((key) => buckets.get(keyOf(name, key)) ?? []))
    lists.set(both, found)
    return found
  }
  const listOf = (bucket: Bucket): List & Candidates => {
    if (bucket.list !== undefined) return bucket.list
    const all = candidates(Int32Array.from(bucket.indices), other.at, units)
    bucket.list = { ...list(all.items), ...all }
    return bucket.list
  }

  const isSimple = policy.per.length === 0
  /** Whether a condition can be checked only for a pair. */
  const isSelective = ledger.forbidden.size > 0 || (!isSimple && own.side === "transfer")
  const isCandidate = (entry: number, index: number): boolean => {
    const [deposit, transfer] = own.pair(entry, index)
    if (ledger.forbidden.get(deposit)?.has(transfer) === true) return false
    return isSimple || own.side === "deposit" || Window.holds(ledger, deposit, transfer)
  }
  const ranges = (
    entry: number,
    visit: (bucket: Bucket, items: List & Candidates, from: number, to: number) => void
  ): void => {
    const [start, end] = own.windowOf(entry)
    for (const bucket of bucketsOf(entry)) {
      const items = listOf(bucket)
      const from = lowerBound(items.times, start)
      const to = lowerBound(items.times, end + 1)
      if (from < to) visit(bucket, items, from, to)
    }
  }

  return {
    atMost: (entry) => {
      let count = 0
      ranges(entry, (_bucket, _items, from, to) => (count += to - from))
      return count
    },
    of: (entry) => {
      const parts: Array<Candidates> = []
      ranges(entry, (_bucket, { items, times, units }, from, to) => {
        const part = {
          items: items.subarray(from, to),
          times: times.subarray(from, to),
          units: units.subarray(from, to)
        }
        parts.push(part)
      })
      const [only] = parts
      if (only !== undefined && parts.length === 1 && !isSelective) return only
      const found = parts.flatMap(({ items }) => Array.from(items).filter((index) => isCandidate(entry, index)))
      return candidates(Int32Array.from(found).toSorted(), other.at, units)
    },
    sample: (entry, size) => {
      const found: Array<number> = []
      ranges(entry, (_bucket, { items }, from, to) => {
        const step = Math.max(1, Math.ceil((to - from) / size))
        for (let position = from; position < to; position += step) found.push(at(items, position))
      })
      return found
    },
    count: (entry, low, high) => {
      const [start, end] = own.windowOf(entry)
      let count = 0
      for (const bucket of bucketsOf(entry)) {
        bucket.amounts ??= AmountIndex.make(other.at, listOf(bucket).items, units)
        bucket.amounts.query(start, end, low, high, (_list, from, to) => (count += to - from))
      }
      return count
    },
    sum: (entry) => {
      let total = 0n
      ranges(entry, (bucket, { items }, from, to) => {
        let sum = 0n
        bucket.sums ??= [sum, ...Array.from(items, (index) => (sum += units(index)))]
        total += item(bucket.sums, to) - item(bucket.sums, from)
      })
      return total
    },
    connect: (entry, join) =>
      ranges(entry, (_bucket, items, from, to) => {
        join(at(items.items, from))
        items.runs.join(from, to, (position) => join(at(items.items, position + 1)))
      })
  }
}
