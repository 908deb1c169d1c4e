/**
 * Reads one slice of a list and says whether all of it was seen.
 *
 * The service promises no order and no end mark, so only agreement proves anything. Pages are proven when they end in an
 * empty one, all before the last are equally long and no identity stands on two of them: then the lengths add up to the
 * number of distinct records, in any order. Otherwise single responses are compared with their halves.
 */
import * as Effect from "effect/Effect"
import type * as BadRecord from "../BadRecord.ts"
import type * as Coverage from "../Coverage.ts"
import * as Page from "../Page.ts"
import type * as Evidence from "./Evidence.ts"
import type * as ServerClock from "./ServerClock.ts"
import * as Sightings from "./Sightings.ts"

/** One page and the service's time when it had come. */
export interface Response<Record> {
  readonly page: Page.Page<Record>
  readonly at: ServerClock.Moment
  /** Why there is no page, which is then empty. */
  readonly failed?: Coverage.Gap
}

/** A list operation with everything but time and page fixed. */
export interface Source<Record, E> extends Sightings.Identified<Record> {
  /** `startTime` and `endTime` in Unix ms, as the service takes them; pages count from 1. */
  readonly page: (startTime: number, endTime: number, page: number) => Effect.Effect<Response<Record>, E>
  readonly time: (record: Record) => number
  /** The time that an unreadable record tells in spite of all, from its raw text. */
  readonly badTime: (raw: string) => number | undefined
  /** Whether equal identities in one response are one record shown twice, or as many records. */
  readonly twins: "same" | "several"
  /** Lengths at which a lone page looks just like the first of a list whose other pages nobody gets: worth a second look. */
  readonly looksCut: (length: number) => boolean
}

/** What was read of `[from, to)`. Without a gap it is everything. */
export interface Reading<Record> {
  readonly records: ReadonlyArray<Record>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly gap: Coverage.Gap | undefined
  /** From the earliest to the latest moment at which any of it may have been answered, in server time. */
  readonly at: ServerClock.Moment
}

const around = (one: ServerClock.Moment, other: ServerClock.Moment): ServerClock.Moment => ({
  earliest: Math.min(one.earliest, other.earliest),
  latest: Math.max(one.latest, other.latest)
})

/** No moment at all: around it and another one is the other one. */
const NEVER: ServerClock.Moment = { earliest: Number.POSITIVE_INFINITY, latest: Number.NEGATIVE_INFINITY }

const gap = (code: Coverage.Gap["code"], detail: string): Coverage.Gap => ({ code, detail })

/** A page that never comes to an end would read forever. */
const MOST_PAGES = 100_000

/** What one response showed of a slice. */
export type Shown<Record> = Pick<Reading<Record>, "records" | "bad">

interface Paged<Record> extends Reading<Record> {
  readonly pages: ReadonlyArray<Page.Page<Record>>
  readonly samePage: boolean
}

export const make = <Record, E>(source: Source<Record, E>, evidence: Evidence.Evidence) => {
  /** Asks 1 ms wider on both sides, so that inclusive and exclusive ends give the same. */
  const ask = (from: number, to: number, page: number) =>
    Effect.tap(
      source.page(Math.max(from - 1, 0), to, page),
      (response) => Effect.sync(() => evidence.sawLength(Page.length(response.page)))
    )

  /** Whether an unreadable record belongs to the next slice. One that tells no time, or any other, belongs everywhere. */
  const isNeighbour = (raw: string, from: number, to: number): boolean => {
    const time = source.badTime(raw)
    return time === from - 1 || time === to
  }

  /** Keeps what belongs to `[from, to)`; what was not even asked for is left out and a reason to doubt. */
  const keep = (
    from: number,
    to: number,
    pages: ReadonlyArray<Page.Page<Record>>
  ): Pick<Reading<Record>, "records" | "bad" | "gap"> => {
    const records: Array<Record> = []
    const bad: Array<BadRecord.BadRecord> = []
    const seen = new Map<string, Record>()
    let problem: Coverage.Gap | undefined
    for (const page of pages) {
      for (const one of page.bad) if (!isNeighbour(one.raw, from, to)) bad.push(one)
      for (const record of page.records) {
        const time = source.time(record)
        if (time < from - 1 || time > to) {
          problem = gap(
            "outside-range",
            `the record ${source.identity(record)} of ${time} came back for [${from}, ${to}) (Unix ms)`
          )
        } else if (time >= from && time < to) {
          if (source.twins === "several") {
            records.push(record)
            continue
          }
          const identity = source.identity(record)
          const known = seen.get(identity)
          if (known === undefined) records.push(record)
          else if (JSON.stringify(known) !== JSON.stringify(record)) {
            records.push(record)
            problem = gap("source-conflict", `${identity} came with two contents`)
          }
          seen.set(identity, record)
        }
      }
    }
    return { records, bad, gap: problem }
  }

  const paged = Effect.fnUntraced(function*(from: number, to: number): Effect.fn.Return<Paged<Record>, E> {
    const pages: Array<Page.Page<Record>> = []
    const sightings = Sightings.make(source)
    let answered = NEVER
    let claimed = 0
    let total = 0
    let problem: Coverage.Gap | undefined
    let samePage = false
    for (let number = 1; number <= MOST_PAGES; number++) {
      const { at, failed, page } = yield* ask(from, to, number)
      answered = around(answered, at)
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
          Page.length(previous) === length
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
      pages.push(page)
      total += length
      if (number === MOST_PAGES) problem ??= gap("unproven", `no end after ${MOST_PAGES} pages`)
    }
    if (claimed > total) problem ??= gap("unproven", `the service counts ${claimed} records and showed ${total}`)
    const kept = keep(from, to, pages)
    return { ...kept, gap: problem ?? kept.gap, at: answered, pages, samePage }
  })

  /** One response, and its halves where it may have been cut off. */
  const single = (from: number, to: number): Effect.Effect<Reading<Record>, E> =>
    Effect.flatMap(ask(from, to, 1), ({ at, failed, page }) => {
      const length = Page.length(page)
      const kept = keep(from, to, [page])
      const whole = { ...kept, gap: failed ?? kept.gap, at }
      const claimed = page.totalCount ?? 0
      if (whole.gap !== undefined) return Effect.succeed(whole)
      // A lone record is no cut list; more than one, as long as any response so far, may be.
      const isLone = to - from === 1 && length === 1
      if (length === 0 || isLone || !evidence.mayBeCut(length)) {
        return Effect.succeed(
          claimed > length
            ? { ...whole, gap: gap("unproven", `the service counts ${claimed} records and showed ${length}`) }
            : whole
        )
      }
      if (to - from === 1) {
        const full = gap("full-millisecond", `${length} records around ${from} (Unix ms) fill a response`)
        return Effect.succeed({ ...whole, gap: full })
      }
      return Effect.map(halves(from, to), (both) => holding(both, whole))
    })

  const halves = Effect.fnUntraced(function*(from: number, to: number): Effect.fn.Return<Reading<Record>, E> {
    const middle = from + Math.floor((to - from) / 2)
    const left = yield* single(from, middle)
    // Who does not answer after every retry is not asked again at each of many levels.
    if (left.gap?.code === "failed-page") return left
    const right = yield* single(middle, to)
    return {
      records: left.records.concat(right.records),
      bad: distinctBad(left.bad, right.bad),
      gap: left.gap ?? right.gap,
      at: around(left.at, right.at)
    }
  })

  /**
   * What one response showed and the reading does not hold was there all the same: it is delivered, and a reason to doubt.
   * Responses are compared one by one, because a record may stand on two pages and is not two records for that.
   */
  const holding = (reading: Reading<Record>, response: Shown<Record>): Reading<Record> => {
    const held = new Map<string, number>()
    for (const record of reading.records) {
      const id = source.identity(record)
      held.set(id, (held.get(id) ?? 0) + 1)
    }
    const lost = response.records.filter((record) => {
      const id = source.identity(record)
      const count = held.get(id) ?? 0
      held.set(id, count - 1)
      return count <= 0
    })
    const bad = distinctBad(reading.bad, response.bad)
    if (lost.length === 0 && bad.length === reading.bad.length) return reading
    return {
      ...reading,
      records: reading.records.concat(lost),
      bad,
      gap: reading.gap ?? gap("unproven", "a record was shown once and not again")
    }
  }

  /**
   * `before`: what an earlier reading showed of it, which is not lost whatever this one shows.
   *
   * Pages first; a second time when something repeated, since an arrival explains one repeat; then single responses.
   */
  return Effect.fnUntraced(function*(
    from: number,
    to: number,
    before?: Shown<Record>
  ): Effect.fn.Return<Reading<Record>, E> {
    const shown: Array<Shown<Record>> = before === undefined ? [] : [before]
    for (let tries = 0; tries < 2 && evidence.pageWorks(); tries++) {
      const reading = yield* paged(from, to)
      if (reading.samePage) evidence.sawSamePage()
      else if (reading.gap === undefined) {
        const [only, second] = reading.pages
        const cut = only !== undefined && second === undefined && source.looksCut(Page.length(only))
        if (!cut) return shown.reduce(holding, reading)
      } else if (reading.gap.code !== "unproven") return shown.reduce(holding, reading)
      for (const page of reading.pages) shown.push(keep(from, to, [page]))
      if (reading.gap === undefined) break
    }
    return shown.reduce(holding, yield* single(from, to))
  })
}

/** What was shown of `[from, to)`; an unreadable record that tells no time belongs everywhere. */
export const within = <Record>(
  source: Pick<Source<Record, unknown>, "time" | "badTime">,
  { bad, records }: Shown<Record>,
  { from, to }: Coverage.Interval
): Shown<Record> => ({
  records: records.filter((record) => source.time(record) >= from && source.time(record) < to),
  bad: bad.filter(({ raw }) => {
    const time = source.badTime(raw)
    return time === undefined || (time >= from && time < to)
  })
})

const distinctBad = (
  left: ReadonlyArray<BadRecord.BadRecord>,
  right: ReadonlyArray<BadRecord.BadRecord>
): ReadonlyArray<BadRecord.BadRecord> => {
  const known = new Set(left.map(({ raw }) => raw))
  return left.concat(right.filter(({ raw }) => !known.has(raw)))
}
