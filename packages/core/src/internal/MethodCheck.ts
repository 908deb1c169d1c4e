/**
 * Reads a slice a second time by other cuts, and compares.
 *
 * A habit of a server, such as skipping a record between two pages, shows again in the same place when one asks the same
 * again. So nothing of the second reading is the same: it begins and ends elsewhere, its pages have another length and its
 * first page is asked for without a number. Settled time shows the same records in both, or the service's lists cannot be
 * believed.
 */
import * as Effect from "effect/Effect"
import type * as Coverage from "../Coverage.ts"
import * as Page from "../Page.ts"
import type * as Asking from "./Asking.ts"
import type * as Evidence from "./Evidence.ts"
import * as Reading from "./Reading.ts"

/** What came of a second reading. */
export interface Result<Record> {
  /** `undecided`: both readings may end at the same number of records. */
  readonly verdict: "same" | "differs" | "undecided" | { readonly failed: Coverage.Gap }
  /** Everything that was shown, also of other slices. */
  readonly shown: ReadonlyArray<Record>
}

type Cut = Coverage.Interval

/** What a cut showed, and how many records it listed in all. */
interface Shown<Record> {
  readonly records: ReadonlyArray<Record>
  /** What any of its responses showed. */
  readonly all: ReadonlyArray<Record>
  readonly listed: number
  readonly failed: Coverage.Gap | undefined
  /** The page without a number is another one than page 1. */
  readonly isRenumbered: boolean
  /** Its first response may not be all of it. */
  readonly isCut?: boolean
}

const MINUTE = 60_000

/** With more parts every second one is read. */
const MOST_PARTS = 5

/** No moment that a service would round to. */
const unround = (time: number): number => time % 1000 === 0 ? time + 1 : time

export const make = <Record, E>(
  source: Asking.Source<Record, E>,
  evidence: Evidence.Evidence,
  { askExactly }: Asking.Asking<Record, E>,
  slice: Reading.Read<Record, E>
) => {
  const moments = (records: ReadonlyArray<Record>): ReadonlyArray<number> =>
    Array.from(new Set(records.map(source.time))).toSorted((a, b) => a - b)

  /**
   * Parts that share no record, each of which fits into one response: no pages are needed. Of many parts every second one
   * is read, and both ends.
   */
  const parts = (
    { from, to }: Coverage.Interval,
    { listing, records }: Reading.Reading<Record>
  ): ReadonlyArray<Cut> => {
    const times = records.map(source.time).toSorted((a, b) => a - b)
    const number = Math.max(2, Math.ceil(times.length / Math.max(1, Math.floor(listing.length * 0.95))))
    const borders = times.length === 0
      ? [unround(from + Math.floor((to - from) / 2))]
      : Array.from({ length: number - 1 }, (_, index) => times[Math.floor((index + 1) * times.length / number)] ?? to)
    const ends = [...new Set([from, ...borders.filter((border) => border > from && border < to), to])]
    return ends.slice(1)
      // What is asked for is 1 ms wider: a part ends before the record with which the next one begins.
      .map((end, index) => ({
        from: ends[index] ?? from,
        to: end === to ? to : Math.max(end - 1, (ends[index] ?? from) + 1)
      }))
      .filter((_, index, all) => all.length <= MOST_PARTS || index === all.length - 1 || index % 2 === 0)
  }

  /**
   * One page: two cuts as long as the slice, one that ends with a record of the middle and one that begins with it, so that
   * both ends of a range are seen to be answered. Several pages, or none: parts of it.
   */
  const cuts = (
    interval: Coverage.Interval,
    reading: Reading.Reading<Record>,
    settled: Coverage.Interval
  ): ReadonlyArray<Cut> => {
    const { from, to } = interval
    const times = moments(reading.records)
    const time = times[times.length >> 1]
    if (time === undefined || reading.listing.pages > 1 || !evidence.pageWorks()) return parts(interval, reading)
    // Of two moments neither cut may show both.
    const end = times.length === 2 ? time - 1 : time + 1
    return [
      { from: Math.min(from, Math.max(end - (to - from), settled.from)), to: end },
      // Behind settled time records still arrive, and would move others to the next page.
      { from: time, to: Math.max(Math.min(time + (to - from), settled.to), to) }
    ]
  }

  const mayBeCut = (length: number): boolean => length > 1 && (evidence.mayBeCut(length) || source.looksCut(length))

  /**
   * Pages of one cut, up to one that is shorter than another response that was seen.
   */
  const listed = Effect.fnUntraced(function*(
    { from, to }: Cut,
    mayHavePages: boolean,
    left: Reading.Left
  ): Effect.fn.Return<Shown<Record>, E> {
    if (!evidence.pageWorks()) {
      const { failed, gap, listing, records } = yield* slice(from, to, left)
      return { records, all: records, listed: listing.listed, failed: failed ?? gap, isRenumbered: false }
    }
    const records: Array<Record> = []
    const all: Array<Record> = []
    const known = new Set<string>()
    let count = 0
    let first = 0
    let limit: number | undefined
    // Where there are more pages the first one is asked for twice: without a number, and as page 1.
    for (let page = 0;; page++) {
      const wanted = { ...(page === 0 ? {} : { page }), ...(limit === undefined ? {} : { limit }) }
      const response = yield* askExactly(from, to, wanted, left)
      const { failed, page: { records: more } } = response
      if (failed !== undefined) return { records, all, listed: count, failed, isRenumbered: false }
      const length = Page.length(response.page)
      const before = known.size
      for (const record of more) {
        known.add(source.identity(record))
        all.push(record)
      }
      if (page === 1) {
        if (known.size > before) return { records, all, listed: count, failed, isRenumbered: true }
        if (count > 0 && !mayHavePages) return { records, all, listed: count, failed, isRenumbered: false, isCut: true }
        continue
      }
      // A page that is as long as the first and shows nothing new is a page again; a shorter one may hold twins alone.
      if (count > 0 && known.size === before && length >= first) break
      if (count === 0 && limit === undefined && length > 1 && mayBeCut(length)) {
        if (!mayHavePages) {
          count = length
          continue
        }
        // It fits into no response. Its pages must have another length than those of the first reading.
        limit = length - 1
        known.clear()
        page = -1
        continue
      }
      for (const record of more) records.push(record)
      if (count === 0) first = length
      const isLast = count > 0 ? length < first : limit === undefined ? !mayBeCut(length) : length < limit
      count += length
      if (length === 0 || isLast) break
    }
    return { records, all, listed: count, failed: undefined, isRenumbered: false }
  })

  /** A cut that ends within a whole minute may be answered up to its beginning. */
  const slack = ({ from, to }: Cut): number => to - from >= 2 * MINUTE ? MINUTE : 0

  /** `settled`: the time that the service certainly still knows and in which no more arrives. It holds the interval. */
  return Effect.fnUntraced(function*(
    interval: Coverage.Interval,
    reading: Reading.Reading<Record>,
    settled: Coverage.Interval,
    most: Reading.Budget
  ): Effect.fn.Return<Result<Record>, E> {
    const left = { ...most }
    const isIn = ({ from, to }: Coverage.Interval) => (record: Record): boolean =>
      source.time(record) >= from && source.time(record) < to
    const known = reading.records.filter(isIn(interval))
    const counts = Reading.counted(known, source.identity)
    const shown: Array<Record> = []
    const { listed: total } = reading.listing
    const differs = ({ all, isCut, isRenumbered, records }: Shown<Record>, cut: Cut): boolean => {
      const found = Reading.counted(records.filter(isIn(interval)), source.identity)
      return isRenumbered ||
        all.some((record) => isIn(interval)(record) && !counts.has(source.identity(record))) ||
        isCut !== true && known.filter(isIn({ from: cut.from, to: cut.to - slack(cut) })).some((record) => {
            const id = source.identity(record)
            const count = found.get(id) ?? 0
            return source.twins === "same" ? count === 0 : count !== counts.get(id)
          })
    }

    for (const [index, asked] of [cuts(interval, reading, settled), parts(interval, reading)].entries()) {
      let isUndecided = false
      let isCut = false
      for (const cut of asked) {
        const part = yield* listed(cut, index > 0 || reading.listing.pages > 1, left)
        for (const record of part.all) shown.push(record)
        if (part.failed !== undefined) return { verdict: { failed: part.failed }, shown }
        if (differs(part, cut)) return { verdict: "differs", shown }
        // One that is longer than the whole list was shows that the list was not cut off at its length.
        if (part.isCut === true && part.listed <= total) isCut = true
        if (part.listed === total) isUndecided = true
      }
      // Where no list was longer, every list may end at this number.
      const mayEnd = isUndecided && total > 1 && evidence.mayEnd(reading.listing)
      if (!isCut && !mayEnd) return { verdict: "same", shown }
    }
    // Of one moment nothing can be divided: a single page of no usual length is believed there.
    const isOneMoment = moments(known).length === 1 && known.length + reading.bad.length === total &&
      reading.listing.pages === 1 &&
      !source.looksCut(total)
    return { verdict: isOneMoment ? "same" : "undecided", shown }
  })
}
