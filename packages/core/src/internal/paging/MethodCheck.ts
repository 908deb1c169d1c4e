/**
 * Reads a slice a second time by other cuts, and compares the two readings.
 *
 * A habit of a server, such as skipping a record between two pages, shows again in the same place when the same is requested
 * again. So the second reading differs in everything: it begins and ends elsewhere, its pages have another length, and its first
 * page is requested without a number. Both readings show the same records of settled time, or the service's lists cannot be
 * believed.
 */
import * as Effect from "effect/Effect"
import type * as Coverage from "../../Coverage.ts"
import * as Page from "../../Page.ts"
import * as Asking from "./Asking.ts"
import * as Cuts from "./Cuts.ts"
import type * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"

/** The outcome of a second reading. `undecided`: both readings may end at the same number of records. */
export type Result = "same" | "differs" | "undecided" | { readonly failed: Coverage.Gap }

/** The records of settled time that an earlier reading showed. */
export interface Known<Record> extends Coverage.Interval {
  readonly records: ReadonlyArray<Record>
}

/** The records that a cut showed, and the number that it listed in all. */
interface Shown<Record> {
  readonly records: ReadonlyArray<Record>
  /** The records of each response, also of those that are not counted. */
  readonly responses: ReadonlyArray<ReadonlyArray<Record>>
  readonly listed: number
  readonly failed: Coverage.Gap | undefined
  /**
   * Whether records may be there that the cut does not show: only its first response was read, or its order changed between two
   * responses.
   */
  readonly isPartial?: boolean
}

type Counts = ReturnType<typeof Reading.counted>

const SECOND = 1000

export const make = <Record, E>(
  source: Asking.Source<Record, E>,
  lengths: PageLengths.PageLengths,
  { askExactly }: Asking.Asking<Record, E>,
  slice: Reading.Read<Record, E>
) => {
  const mayBeCut = (length: number): boolean => length > 1 && (lengths.mayBeCut(length) || source.looksCut(length))

  /**
   * Returns by how much the answer to a cut may fall short of its end: a service may stop at the beginning of the minute, or of
   * the second where the cut is short.
   */
  const slack = ({ from, to }: Coverage.Interval, slice: Coverage.Interval): number => {
    const length = slice.to - slice.from
    if (to - from >= Asking.MINUTE && length >= 2 * Asking.MINUTE) return Asking.MINUTE
    return length >= 10 * SECOND ? SECOND : 0
  }

  const isIn = ({ from, to }: Coverage.Interval) => (record: Record): boolean =>
    source.time(record) >= from && source.time(record) < to

  /** The own records of a slice, and their counts. Every cut is compared with them, and identities are long. */
  const counted = new WeakMap<Known<Record>, { readonly own: ReadonlyArray<Record>; readonly counts: Counts }>()
  const countedIn = (slice: Known<Record>) => {
    const found = counted.get(slice)
    if (found !== undefined) return found
    const own = slice.records.filter(isIn(slice))
    const made = { own, counts: Reading.counted(own, source.identity) }
    counted.set(slice, made)
    return made
  }

  /** Whether a cut shows a record that no part is known to hold, or lacks one that a part is known to hold. */
  const contradicts = (
    { isPartial, records, responses }: Shown<Record>,
    cut: Coverage.Interval,
    slice: Known<Record>
  ) => {
    const { from, to } = slice
    if (from >= cut.to || to <= cut.from) return false
    const { counts, own } = countedIn(slice)
    const isUnknown = (response: ReadonlyArray<Record>): boolean =>
      Array.from(Reading.counted(response.filter(isIn({ from, to })), source.identity)).some(([id, count]) => {
        const known = counts.get(id) ?? 0
        return source.twins === "same" ? known === 0 : count > known
      })
    if (responses.some(isUnknown)) return true
    if (isPartial === true) return false
    const found = Reading.counted(records, source.identity)
    // An answer that shows a record has not stopped before it, so all earlier ones are there, however short the cut is.
    const shown = records.filter(isIn(cut)).reduce((last, record) => Math.max(last, source.time(record)), cut.from - 1)
    const answered = { from: cut.from, to: Math.max(cut.to - slack(cut, slice), shown + 1) }
    return own.filter(isIn(answered)).some((record) => {
      const id = source.identity(record)
      const count = found.get(id) ?? 0
      return source.twins === "same" ? count === 0 : count !== counts.get(id)
    })
  }

  const contradict = (shown: Shown<Record>, cut: Coverage.Interval, known: ReadonlyArray<Known<Record>>): boolean =>
    known.some((one) => contradicts(shown, cut, one))

  /** Reads the pages of one cut, up to one that is shorter than another response that was seen. */
  const listed = Effect.fnUntraced(function*(
    cut: Coverage.Interval,
    known: ReadonlyArray<Known<Record>>,
    mayHavePages: boolean,
    left: Reading.Left
  ): Effect.fn.Return<Shown<Record>, E> {
    const { from, to } = cut
    if (!lengths.pageWorks()) {
      const { failed, gap, listing, records } = yield* slice(from, to, left)
      return { records, responses: [records], listed: listing.listed, failed: failed ?? gap }
    }
    const expected = known.reduce((sum, { records }) => sum + records.filter(isIn(cut)).length, 0)
    const records: Array<Record> = []
    const responses: Array<ReadonlyArray<Record>> = []
    const ids = new Set<string>()
    let count = 0
    let first = 0
    let limit: number | undefined
    /** Whether a record stood on two of the pages, or the first page had changed when it was requested again. */
    let isUnsteady = false
    // Where there are more pages, the first one is requested twice: without a number, and as page 1.
    for (let page = 0;; page++) {
      const wanted = { ...(page === 0 ? {} : { page }), ...(limit === undefined ? {} : { limit }) }
      const response = yield* askExactly(from, to, wanted, left)
      const { failed, page: { records: more } } = response
      if (failed !== undefined) return { records, responses, listed: count, failed }
      const length = Page.length(response.page)
      const before = ids.size
      responses.push(more)
      const isAgain = more.some((record) => ids.has(source.identity(record)))
      for (const record of more) ids.add(source.identity(record))
      if (page === 1) {
        isUnsteady ||= ids.size > before
        continue
      }
      isUnsteady ||= isAgain
      // A page that is as long as the first one and shows nothing new is a repeated page, unless there are twins of which it may
      // hold some.
      const mayBeTwins = source.twins === "several" && count < expected
      if (count > 0 && ids.size === before && length >= first && !mayBeTwins) break
      if (count === 0 && limit === undefined && length > 1 && mayBeCut(length)) {
        if (!mayHavePages) {
          records.push(...more)
          count = first = length
          const shown = { records, responses, listed: length, failed }
          // The missing records may stand on the next page.
          if (!contradict(shown, cut, known)) return { ...shown, isPartial: true }
          continue
        }
        // The cut fits into no single response. Its pages must have another length than those of the first reading.
        limit = length - 1
        ids.clear()
        isUnsteady = false
        page = -1
        continue
      }
      for (const record of more) records.push(record)
      if (count === 0) first = length
      // A service may round a limit that it does not know, so a first page that is shorter need not be the last one.
      const isLast = count > 0 ? length < first : limit === undefined && !mayBeCut(length)
      count += length
      if (length === 0 || isLast) break
    }
    const shown = { records, responses, listed: count, failed: undefined }
    return isUnsteady && contradict(shown, cut, known) ? { ...shown, listed: ids.size, isPartial: true } : shown
  })

  /**
   * Checks a reading of `interval`. `settled` is the time that the service certainly still knows and in which no more records
   * arrive; it contains the interval. `others` are readings of other slices, into which the cuts reach.
   */
  return Effect.fnUntraced(function*(
    interval: Coverage.Interval,
    reading: Reading.Reading<Record>,
    settled: Coverage.Interval,
    others: ReadonlyArray<Known<Record>>,
    most: Reading.Budget
  ): Effect.fn.Return<Result, E> {
    const left = { ...most }
    const known = [{ ...interval, records: reading.records }, ...others]
    const own = reading.records.filter(isIn(interval))
    const times = own.map(source.time).toSorted((a, b) => a - b)
    const moments = Array.from(new Set(times))
    const { listed: total, pages } = reading.listing
    const isAnswered = (): boolean => lengths.answers(interval.to - interval.from)
    const parts = () => Cuts.parts(interval, times, reading.listing.length)
    const ends = () =>
      pages > 1 || !lengths.pageWorks() ? parts() : Cuts.ends({
        ...interval,
        listing: reading.listing,
        moments,
        known: known.flatMap(({ records }) => records.map(source.time)),
        settled,
        isAnswered: isAnswered(),
        isBeyond: lengths.isBeyond(reading.listing)
      })

    /** Compares the cuts with the first reading, and says whether they show that it was not cut off at its length. */
    const compared = Effect.fnUntraced(function*(cuts: ReadonlyArray<Coverage.Interval>, mayHavePages: boolean) {
      let isPartial = false
      let isAsLong = false
      for (const cut of cuts) {
        const shown = yield* listed(cut, known, mayHavePages, left)
        if (shown.failed !== undefined) return { failed: shown.failed }
        const all = shown.responses.flat()
        const disputed = Reading.conflicting(source, own, all)
        if (disputed !== undefined) return { failed: Reading.conflict(disputed) }
        const isDisputed = others.some(({ records }) => Reading.conflicting(source, records, all) !== undefined)
        if (isDisputed || contradict(shown, cut, known)) return "differs"
        if (shown.isPartial === true && shown.listed <= total) isPartial = true
        if (shown.listed === total) isAsLong = true
      }
      // Where no list was longer, every list may end at this number.
      const mayEnd = isAsLong && total > 1 && lengths.mayEnd(reading.listing)
      return isPartial || mayEnd ? "undecided" : "same"
    })

    const first = yield* compared(ends(), pages > 1)
    if (first !== "same" && first !== "undecided") return first
    if (moments.length > 0 && !isAnswered()) {
      // A service may answer only the newest part of a range, or only the oldest.
      const second = yield* compared(Cuts.halves(interval), true)
      if (second !== "same" && second !== "undecided") return second
    }
    const last = first === "same" ? first : yield* compared(parts(), true)
    // One moment cannot be divided: a single page whose length is not a usual one is believed there.
    const isOneMoment = moments.length > 0 && Cuts.areTogether(moments) && own.length + reading.bad.length === total &&
      pages === 1 &&
      !source.looksCut(total)
    return last === "undecided" && isOneMoment ? "same" : last
  })
}
