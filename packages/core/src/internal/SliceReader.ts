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
import type * as BadRecord from "../BadRecord.ts"
import type * as Coverage from "../Coverage.ts"
import * as Page from "../Page.ts"
import type * as Evidence from "./Evidence.ts"
import type * as ServerClock from "./ServerClock.ts"
import * as Sightings from "./Sightings.ts"

/** One page, and the service's time from when it was asked for until it had come. */
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
  /** Lengths at which a lone response looks just like the first page of a list whose other pages nobody gets. */
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

/** What may be asked for one slice. */
interface Budget {
  readonly requests: number
  readonly records: number
}

/** With more a slice would be read for ever, or fill the memory. */
const MOST: Budget = { requests: 100_000, records: 2_000_000 }

/** What one response showed of a slice. */
export type Shown<Record> = Pick<Reading<Record>, "records" | "bad">

/** What is left of a budget. */
interface Left {
  requests: number
  records: number
}

const givenUp = <Record>(most: number, what: string): Response<Record> => ({
  page: { records: [], bad: [] },
  at: NEVER,
  failed: gap("unproven", `no end after ${most} ${what}; shorter slices may help (conventions.sliceLength)`)
})

/** What was read of a part. `failed`: why reading ended early; there is no use in asking for other parts of the slice. */
interface Part<Record> extends Reading<Record> {
  readonly failed: Coverage.Gap | undefined
}

interface Paged<Record> extends Part<Record> {
  readonly pages: ReadonlyArray<Page.Page<Record>>
  readonly samePage: boolean
}

type Read<Record, E> = (from: number, to: number, left: Left) => Effect.Effect<Part<Record>, E>

const fullMillisecond = (from: number, length: number): Coverage.Gap =>
  gap("full-millisecond", `${length} records around ${from} (Unix ms) fill a response`)

/** Whether pages that end in an empty one may be no more than the service is willing to show. */
const mayGoOn = (pages: ReadonlyArray<Page.Page<unknown>>, looksCut: (length: number) => boolean): boolean => {
  const lengths = pages.map(Page.length)
  const [first, ...more] = lengths
  if (first === undefined) return false
  return more.length === 0 ? looksCut(first) : more.at(-1) === first
}

export const make = <Record, E>(source: Source<Record, E>, evidence: Evidence.Evidence, most = MOST) => {
  /** Asks 1 ms wider on both sides, so that inclusive and exclusive ends give the same. */
  const ask = (from: number, to: number, page: number, left: Left) =>
    Effect.suspend(() => {
      if (left.requests <= 0) return Effect.succeed(givenUp<Record>(most.requests, "requests"))
      if (left.records <= 0) return Effect.succeed(givenUp<Record>(most.records, "records"))
      left.requests--
      return Effect.tap(source.page(Math.max(from - 1, 0), to, page), (response) =>
        Effect.sync(() => {
          const length = Page.length(response.page)
          left.records -= length
          evidence.sawLength(length)
        }))
    })

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

  const paged = Effect.fnUntraced(function*(
    from: number,
    to: number,
    left: Left
  ): Effect.fn.Return<Paged<Record>, E> {
    const pages: Array<Page.Page<Record>> = []
    const sightings = Sightings.make(source)
    let answered = NEVER
    let claimed = 0
    let total = 0
    let problem: Coverage.Gap | undefined
    let samePage = false
    let failed: Coverage.Gap | undefined
    for (let number = 1;; number++) {
      const response = yield* ask(from, to, number, left)
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
      if (page.bad.length > 0 && pages.some(({ bad }) => bad.length > 0)) {
        // One that has changed between two pages would not be recognised, and hide what it pushed away.
        problem ??= gap("unproven", "records that cannot be read stand on two pages")
      }
      pages.push(page)
      total += length
    }
    if (claimed > total) problem ??= gap("unproven", `the service counts ${claimed} records and showed ${total}`)
    const kept = keep(from, to, pages)
    return { ...kept, gap: problem ?? kept.gap, at: answered, failed, pages, samePage }
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

  const inHalves = (read: Read<Record, E>): Read<Record, E> =>
    Effect.fnUntraced(function*(from, to, left): Effect.fn.Return<Part<Record>, E> {
      const middle = from + Math.floor((to - from) / 2)
      const early = yield* read(from, middle, left)
      // Who does not answer after every retry is not asked again at each of many levels.
      if (early.failed !== undefined) return early
      const late = yield* read(middle, to, left)
      return {
        records: early.records.concat(late.records),
        bad: distinctBad(early.bad, late.bad),
        gap: early.gap ?? late.gap,
        at: around(early.at, late.at),
        failed: late.failed
      }
    })

  /** One response, and its halves where it may have been cut off. */
  const single: Read<Record, E> = (from, to, left) =>
    Effect.flatMap(ask(from, to, 1, left), ({ at, failed, page }): Effect.Effect<Part<Record>, E> => {
      const length = Page.length(page)
      const kept = keep(from, to, [page])
      const whole = { ...kept, gap: failed ?? kept.gap, at, failed }
      const claimed = page.totalCount ?? 0
      if (whole.gap !== undefined) return Effect.succeed(whole)
      // A lone record is no cut list; more than one, as long as any response so far or of a usual length, may be.
      const isLone = to - from === 1 && length === 1
      if (length === 0 || isLone || !(evidence.mayBeCut(length) || source.looksCut(length))) {
        return Effect.succeed(
          claimed > length
            ? { ...whole, gap: gap("unproven", `the service counts ${claimed} records and showed ${length}`) }
            : whole
        )
      }
      return to - from === 1
        ? Effect.succeed({ ...whole, gap: fullMillisecond(from, length) })
        : Effect.map(inHalves(single)(from, to, left), (both) => ({ ...both, ...holding(both, whole) }))
    })

  /**
   * Pages first; a second time when something repeated, since an arrival explains one repeat; then single responses. Pages
   * that may go on unseen are compared with those of the two halves.
   */
  const slice: Read<Record, E> = Effect.fnUntraced(
    function*(from, to, left): Effect.fn.Return<Part<Record>, E> {
      const shown: Array<Shown<Record>> = []
      const held = (part: Part<Record>): Part<Record> => ({ ...part, ...shown.reduce(holding, part) })
      for (let tries = 0; tries < 2 && evidence.pageWorks(); tries++) {
        const reading = yield* paged(from, to, left)
        if (reading.samePage) evidence.sawSamePage()
        else if (reading.failed !== undefined) return held(reading)
        else if (reading.gap === undefined) {
          if (!mayGoOn(reading.pages, source.looksCut)) return held(reading)
          if (to - from === 1) return held({ ...reading, gap: fullMillisecond(from, reading.records.length) })
          for (const page of reading.pages) shown.push(keep(from, to, [page]))
          return held(yield* inHalves(slice)(from, to, left))
        } else if (reading.gap.code !== "unproven") return held(reading)
        for (const page of reading.pages) shown.push(keep(from, to, [page]))
      }
      return held(yield* single(from, to, left))
    }
  )

  /** `before`: what an earlier reading showed of it, which is not lost whatever this one shows. */
  return (from: number, to: number, before?: Shown<Record>): Effect.Effect<Reading<Record>, E> =>
    Effect.map(
      slice(from, to, { ...most }),
      ({ at, bad, gap, records }) => {
        const reading = { at, bad, gap, records }
        return before === undefined ? reading : holding(reading, before)
      }
    )
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
