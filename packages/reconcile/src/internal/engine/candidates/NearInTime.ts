/**
 * Finds the candidates of an entry in its window, the nearest in time first. Only entries that account, reference and `forbid`
 * allow count, so entries that a stream has let go of make no difference.
 */
import { at, bucket, type Buckets, firstNotBefore } from "../ledger/Column.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import * as CandidateIndex from "./CandidateIndex.ts"

/** Returns at most `most` of the candidates. */
export type NearInTime = (index: number, most: number) => ReadonlyArray<number>

/** The distance within which candidates are looked for: the window, or the window and lateness. */
type Reach = "window" | "horizon"

type Accept = (deposit: number, transfer: number) => boolean

/**
 * Makes the search for entries of `own`. It finds entries of the other side that share the key and that `include` and `accept`
 * accept.
 */
export const make = (
  ledger: Ledger.Ledger,
  own: Ledger.Side,
  key: "amountClass" | "group",
  include: (index: number) => boolean,
  reach: Reach = "window",
  accept: Accept = ledger.compatible
): NearInTime => {
  const { other } = own
  const isCandidate = (index: number, one: number): boolean => {
    const [deposit, transfer] = own.pair(index, one)
    const by = Window.excess(ledger, deposit, transfer)?.by ?? 0
    return by <= (reach === "horizon" ? ledger.rule(deposit).late : 0) && accept(deposit, transfer)
  }
  let buckets: Buckets | undefined
  const lists = new Map<number, (index: number) => ReadonlyArray<Int32Array>>()
  const listsOf = (index: number): ReadonlyArray<Int32Array> => {
    const value = at(own[key], index)
    buckets ??= bucket(other[key], key === "group" ? ledger.groups : ledger.amountClasses, include)
    if (buckets.size(value) === 0) return []
    const known = lists.get(value) ?? CandidateIndex.byKeys(ledger, own, buckets.of(value), (indices) => indices)
    lists.set(value, known)
    return known(index)
  }

  /** Walks outwards from the entry. Of two equally near candidates it takes the earlier. */
  const ofList = (index: number, indices: Int32Array, most: number): ReadonlyArray<number> => {
    const time = at(own.at, index)
    const [from, to] = reach === "horizon" ? own.horizonOf(index) : own.windowOf(index)
    const inReach = indices.subarray(
      firstNotBefore(other.at, indices, from),
      firstNotBefore(other.at, indices, to + 1)
    )
    const found: Array<number> = []
    let after = firstNotBefore(other.at, inReach, time)
    let before = after - 1
    while (found.length < most && (before >= 0 || after < inReach.length)) {
      const isBefore = after >= inReach.length ||
        (before >= 0 && time - at(other.at, at(inReach, before)) <= at(other.at, at(inReach, after)) - time)
      const one = at(inReach, isBefore ? before-- : after++)
      if (isCandidate(index, one)) found.push(one)
    }
    return found
  }

  return (index, most) => {
    const found = listsOf(index).map((indices) => ofList(index, indices, most))
    if (found.length < 2) return found[0] ?? []
    const lag = (one: number): number => at(other.at, one) - at(own.at, index)
    return found.flat()
      .toSorted((a, b) => Math.abs(lag(a)) - Math.abs(lag(b)) || (lag(a) < 0 && lag(b) < 0 ? b - a : a - b))
      .slice(0, most)
  }
}
