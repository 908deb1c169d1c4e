/**
 * Reads one slice of a list and says whether all of it was seen.
 *
 * The service promises no order and no end mark, so only agreement proves anything. Pages are proven when they end in an
 * empty one, all before the last are equally long, the last is shorter and no identity stands on two of them: then the
 * lengths add up to the number of distinct records, in any order. Pages that are all equally long may be all that the
 * service is willing to show, and are compared with the pages of their two halves. Where pages do not work, single
 * responses are compared with their halves.
 */
import * as Effect from "effect/Effect"
import type * as Coverage from "../../Coverage.ts"
import * as Page from "../../Page.ts"
import * as Agreement from "./Agreement.ts"
import * as Asking from "./Asking.ts"
import * as MethodCheck from "./MethodCheck.ts"
import * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"
import * as Sightings from "./Sightings.ts"

const { NEVER, around, distinctBad, fullMillisecond, gap } = Reading

/** The most requests and records for a slice. A server that needs more could make a slice go on for ever, or fill the memory. */
const MOST: Reading.Budget = { requests: 100_000, records: 2_000_000 }

/**
 * The most requests for a slice that only agreement proves, so that one server does not use up the rate. The
 * rest becomes a gap.
 */
const MOST_BY_AGREEMENT = 2000

interface Paged<Record> extends Reading.Part<Record> {
  readonly pages: ReadonlyArray<Page.Page<Record>>
  readonly samePage: boolean
}

/** Whether pages that end in an empty one may be all that the service is willing to show, and not the whole list. */
const mayGoOn = (pages: ReadonlyArray<Page.Page<unknown>>, looksCut: (length: number) => boolean): boolean => {
  const lengths = pages.map(Page.length)
  const [first, ...more] = lengths
  if (first === undefined) return false
  return more.length === 0 ? looksCut(first) : more.at(-1) === first
}

export const make = <Record, E>(source: Asking.Source<Record, E>, lengths: PageLengths.PageLengths, most = MOST) => {
  const asking = Asking.make(source, lengths, most)
  const { ask, keep } = asking

  const paged = Effect.fnUntraced(function*(
    from: number,
    to: number,
    left: Reading.Left,
    limit?: number
  ): Effect.fn.Return<Paged<Record>, E> {
    const wanted = (page: number): Asking.Wanted => limit === undefined ? { page } : { page, limit }
    const pages: Array<Page.Page<Record>> = []
    const sightings = Sightings.make(source)
    let answered = NEVER
    let claimed = 0
    let total = 0
    let problem: Coverage.Gap | undefined
    let samePage = false
    let failed: Coverage.Gap | undefined
    /**
     * Whether a page is still the same when it is requested again. Arrivals may push on a whole page, and the page before it
     * shows them then.
     */
    const stillSame = (number: number) =>
      Effect.map(
        ask(from, to, wanted(number), left),
        ({ failed, page }) =>
          failed === undefined && Page.length(page) > 0 &&
          page.records.every((record) => sightings.firstPage(record, number + 2) === number) &&
          page.bad.every(({ raw }) => sightings.firstPageOfText(raw, number + 2) === number)
      )
    for (let number = 1;; number++) {
      const response = yield* ask(from, to, wanted(number), left)
      const { page } = response
      answered = around(answered, response.at)
      failed = response.failed
      if (failed !== undefined) {
        problem = failed
        break
      }
      claimed = Math.max(claimed, page.totalCount ?? 0)
      const length = Page.length(page)
      if (length === 0) break
      const previous = pages.at(-1)
      const firstPages = [
        ...page.records.map((record) => sightings.firstPage(record, number)),
        ...page.bad.map(({ raw }) => sightings.firstPageOfText(raw, number))
      ]
      if (firstPages.some((first) => first !== number)) {
        samePage = firstPages.every((first) => first === number - 1) && previous !== undefined &&
          Page.length(previous) === length && (yield* stillSame(number - 1))
        problem = gap(
          "unproven",
          samePage ? `page ${number} repeats page ${number - 1}` : "a record stands on two pages"
        )
        pages.push(page)
        break
      }
      if (previous !== undefined && Page.length(previous) < length) {
        problem ??= gap("unproven", "a later page is longer")
      }
      const beforePrevious = pages.at(-2)
      if (
        previous !== undefined && beforePrevious !== undefined && Page.length(previous) !== Page.length(beforePrevious)
      ) {
        problem ??= gap("unproven", "pages before the last differ in length")
      }
      if (page.bad.length > 0 && pages.some(({ bad }) => bad.length > 0)) {
        // A record that has changed between two pages would not be recognised, and would hide the one that it pushed away.
        problem ??= gap("unproven", "records that cannot be read stand on two pages")
      }
      pages.push(page)
      total += length
    }
    if (claimed > total) problem ??= gap("unproven", `the service counts ${claimed} records and showed ${total}`)
    const kept = keep(from, to, pages)
    const isOwn = (record: Record): boolean => source.time(record) >= from && source.time(record) < to
    const listing = {
      listed: total,
      pages: pages.length,
      length: Math.max(0, ...pages.map(Page.length)),
      within: pages.filter(({ records }) => records.some(isOwn)).length
    }
    if (problem === undefined) lengths.sawList(total)
    return { ...kept, gap: problem ?? kept.gap, at: answered, failed, listing, pages, samePage }
  })

  const holding = Reading.holding(source)
  const counts = ({ records }: Reading.Shown<Record>) => Reading.counted(records, source.content ?? source.identity)

  const inHalves = (read: Reading.Read<Record, E>): Reading.Read<Record, E> =>
    Effect.fnUntraced(function*(from, to, left): Effect.fn.Return<Reading.Part<Record>, E> {
      const middle = Asking.middle(from, to)
      const early = yield* read(from, middle, left)
      // A failed request is not repeated by every level of the recursion.
      if (early.failed !== undefined) return early
      const late = yield* read(middle, to, left)
      return {
        records: early.records.concat(late.records),
        bad: distinctBad(early.bad, late.bad),
        gap: early.gap ?? late.gap,
        at: around(early.at, late.at),
        failed: late.failed,
        listing: PageLengths.longest(early.listing, late.listing)
      }
    })

  /**
   * Proves a millisecond that fills a response by its pages. Where all pages are equally long, pages of another length must show
   * the same records, and some other list must have been longer.
   */
  const crowded = Effect.fnUntraced(function*(
    from: number,
    left: Reading.Left,
    whole: Reading.Part<Record>
  ): Effect.fn.Return<Reading.Part<Record>, E> {
    const nothing: Reading.Part<Record> = { ...whole, gap: fullMillisecond(from, whole.listing.listed) }
    let full = nothing
    if (!lengths.pageWorks()) return full
    const add = ({ at, pages }: Paged<Record>): void => {
      const held = pages.map((page) => keep(from, from + 1, [page])).reduce<Reading.Reading<Record>>(holding, full)
      full = { ...nothing, ...held, at: around(full.at, at) }
    }
    const pages = yield* paged(from, from + 1, left)
    add(pages)
    if (pages.gap !== undefined) return full
    const proven = { ...pages, ...holding(pages, whole), at: full.at }
    if (!mayGoOn(pages.pages, source.looksCut)) return proven
    const { length } = pages.listing
    if (length < 2 || lengths.mayEnd(pages.listing)) return full
    const others = yield* paged(from, from + 1, left, length - 1)
    add(others)
    const isSame = others.gap === undefined && !mayGoOn(others.pages, source.looksCut) &&
      Reading.sameCounts(counts(pages), counts(others))
    return isSame ? { ...proven, at: full.at } : full
  })

  /** Reads one response, and both halves where it may have been cut off. */
  const single: Reading.Read<Record, E> = (from, to, left) =>
    Effect.flatMap(ask(from, to, { page: 1 }, left), ({ at, failed, page }): Effect.Effect<Reading.Part<Record>, E> => {
      const length = Page.length(page)
      const kept = keep(from, to, [page])
      const listing = { listed: length, pages: 1, length, within: 1 }
      const whole = { ...kept, gap: failed ?? kept.gap, at, failed, listing }
      const claimed = page.totalCount ?? 0
      if (whole.gap !== undefined) return Effect.succeed(whole)
      // A lone record is no cut list. Several records may be one, when they are as many as any response held or as pages usually
      // hold.
      const isLone = to - from === 1 && length === 1
      if (length === 0 || isLone || !(lengths.mayBeCut(length) || source.looksCut(length))) {
        return Effect.succeed(
          claimed > length
            ? { ...whole, gap: gap("unproven", `the service counts ${claimed} records and showed ${length}`) }
            : whole
        )
      }
      return to - from === 1
        ? crowded(from, left, whole)
        : Effect.map(inHalves(single)(from, to, left), (both) => ({ ...both, ...holding(both, whole) }))
    })

  /**
   * Reads pages first, and a second time when a record came twice, because an arrival explains one repeat. Then it reads single
   * responses. Pages that may go on unseen are compared with those of the two halves.
   */
  const slice: Reading.Read<Record, E> = Effect.fnUntraced(
    function*(from, to, left): Effect.fn.Return<Reading.Part<Record>, E> {
      const shown: Array<Reading.Shown<Record>> = []
      const held = (part: Reading.Part<Record>): Reading.Part<Record> => ({ ...part, ...shown.reduce(holding, part) })
      for (let tries = 0; tries < 2 && lengths.pageWorks(); tries++) {
        const reading = yield* paged(from, to, left)
        if (reading.samePage) lengths.sawSamePage()
        else if (reading.failed !== undefined) return held(reading)
        else if (reading.gap === undefined) {
          if (!mayGoOn(reading.pages, source.looksCut)) return held(reading)
          if (to - from === 1) return held(yield* crowded(from, left, reading))
          for (const page of reading.pages) shown.push(keep(from, to, [page]))
          return held(yield* inHalves(slice)(from, to, left))
        } else if (reading.gap.code !== "unproven") return held(reading)
        for (const page of reading.pages) shown.push(keep(from, to, [page]))
      }
      return held(yield* single(from, to, left))
    }
  )

  const byAgreement: Reading.Budget = { ...most, requests: Math.min(most.requests, MOST_BY_AGREEMENT) }
  const agreed = Agreement.make(source, lengths, Asking.make(source, lengths, byAgreement))

  /**
   * Reads a slice. `before` holds the records that an earlier reading of it showed; they are kept, whatever
   * this reading shows.
   */
  const read = (from: number, to: number, before?: Reading.Shown<Record>): Effect.Effect<Reading.Reading<Record>, E> =>
    Effect.map(
      lengths.isTrusted() ? slice(from, to, { ...most }) : agreed(from, to, { ...byAgreement }),
      ({ at, bad, gap, listing, records }) => {
        const reading = { at, bad, gap, listing, records }
        return before === undefined ? reading : holding(reading, before)
      }
    )

  const check = MethodCheck.make(source, lengths, asking, slice)

  return {
    read,
    /** Reads a slice in the ordinary way, whether or not that way is believed. */
    readPages: ({ from, to }: Coverage.Interval): Effect.Effect<Reading.Reading<Record>, E> =>
      slice(from, to, { ...most }),
    check: (
      interval: Coverage.Interval,
      reading: Reading.Reading<Record>,
      settled: Coverage.Interval,
      others: ReadonlyArray<MethodCheck.Known<Record>>
    ) => check(interval, reading, settled, others, most)
  }
}
