/** How one part of time is asked for: a little wider than it is, within a budget, and what of the answer belongs to it. */
import * as Effect from "effect/Effect"
import type * as BadRecord from "../../BadRecord.ts"
import type * as Coverage from "../../Coverage.ts"
import * as Page from "../../Page.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"
import type * as Sightings from "./Sightings.ts"

/** One page, and the service's time from when it was asked for until it had come. */
export interface Response<Record> {
  readonly page: Page.Page<Record>
  readonly at: ServerClock.Moment
  /** Why there is no page, which is then empty. */
  readonly failed?: Coverage.Gap
}

/** Which page of a list is wanted. An absent number leaves the page to the service: then the first one comes. */
export interface Wanted {
  readonly page?: number
  /** Absent: as long as pages may be. */
  readonly limit?: number
}

/** A list operation with everything but time and page fixed. */
export interface Source<Record, E> extends Sightings.Identified<Record> {
  /** `startTime` and `endTime` in Unix ms, as the service takes them; pages count from 1. */
  readonly page: (startTime: number, endTime: number, wanted: Wanted) => Effect.Effect<Response<Record>, E>
  /** Nothing before this is ever asked for, Unix ms: the service may refuse what lies too far back. Absent: no limit. */
  readonly oldest?: number | undefined
  readonly time: (record: Record) => number
  /** The time that an unreadable record tells in spite of all, from its raw text. */
  readonly badTime: (raw: string) => number | undefined
  /** Whether equal identities in one response are one record shown twice, or as many records. */
  readonly twins: "same" | "several"
  /** Lengths at which a lone response looks just like the first page of a list whose other pages nobody gets. */
  readonly looksCut: (length: number) => boolean
}

/** What a response, or several, showed of a part. */
export interface Kept<Record> {
  readonly records: ReadonlyArray<Record>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly gap: Coverage.Gap | undefined
}

export const MINUTE = 60_000

/** Where a part is cut in two: on a whole minute where it is long enough, because a service may filter by those. */
export const middle = (from: number, to: number): number => {
  const exact = from + Math.floor((to - from) / 2)
  const whole = Math.floor(exact / MINUTE) * MINUTE
  return to - from >= 2 * MINUTE && whole > from ? whole : exact
}

/**
 * What is asked for: 1 ms more on both sides, so that inclusive and exclusive ends give the same; and whole minutes where
 * the part has that length, because a service may filter by those.
 */
const asked = (from: number, to: number): { readonly start: number; readonly end: number } => {
  const step = to - from >= MINUTE ? MINUTE : 1
  return {
    start: Math.floor(from / step) * step - 1,
    end: Math.min(Math.ceil(to / step) * step, Number.MAX_SAFE_INTEGER)
  }
}

export const make = <Record, E>(source: Source<Record, E>, lengths: PageLengths.PageLengths, most: Reading.Budget) => {
  const givenUp = (count: number, what: string): Response<Record> => ({
    page: { records: [], bad: [] },
    at: Reading.NEVER,
    failed: Reading.gap("unproven", `no end after ${count} ${what}; shorter slices may help (conventions.sliceLength)`)
  })

  const learn = (start: number, end: number, { at, page }: Response<Record>): void => {
    lengths.sawLength(Page.length(page))
    // Of what lies ahead nothing can be shown: a range ends now for that.
    const last = Math.min(end, at.latest)
    const times = page.records.map(source.time).filter((time) => time >= start && time <= last)
    if (times.length === 0) return
    const earliest = times.reduce((least, time) => Math.min(least, time))
    lengths.sawRange(start, last, earliest, times.reduce((most, time) => Math.max(most, time)))
  }

  const request = (wide: number, end: number, wanted: Wanted, left: Reading.Left) =>
    Effect.suspend(() => {
      const start = Math.max(wide, source.oldest ?? 0)
      if (left.requests <= 0) return Effect.succeed(givenUp(most.requests, "requests"))
      if (left.records <= 0) return Effect.succeed(givenUp(most.records, "records"))
      left.requests--
      return Effect.tap(source.page(start, end, wanted), (response) =>
        Effect.sync(() => {
          left.records -= Page.length(response.page)
          learn(start, end, response)
        }))
    })

  const ask = (from: number, to: number, wanted: Wanted, left: Reading.Left) => {
    const { end, start } = asked(from, to)
    return request(start, end, wanted, left)
  }

  /** The same without whole minutes, for a reading by other cuts. */
  const askExactly = (from: number, to: number, wanted: Wanted, left: Reading.Left) =>
    request(from - 1, to, wanted, left)

  /** Whether an unreadable record belongs to the next slice. One that tells no time, or any other, belongs everywhere. */
  const isNeighbour = (raw: string, from: number, to: number): boolean => {
    const time = source.badTime(raw)
    const { end, start } = asked(from, to)
    return time !== undefined && ((time >= start && time < from) || (time >= to && time <= end))
  }

  /** Keeps what belongs to `[from, to)`; what was not even asked for is left out and a reason to doubt. */
  const keep = (from: number, to: number, pages: ReadonlyArray<Page.Page<Record>>): Kept<Record> => {
    const { end, start } = asked(from, to)
    // A service that filters by minutes begins with the minute of what it was asked.
    const slack = to - from >= MINUTE ? MINUTE : 0
    const records: Array<Record> = []
    const bad: Array<BadRecord.BadRecord> = []
    const seen = new Map<string, Record>()
    let problem: Coverage.Gap | undefined
    for (const page of pages) {
      for (const one of page.bad) if (!isNeighbour(one.raw, from, to)) bad.push(one)
      for (const record of page.records) {
        const time = source.time(record)
        if (time < start - slack || time > end + slack) {
          problem = Reading.gap(
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
            problem = Reading.gap("source-conflict", `${identity} came with two contents`)
          }
          seen.set(identity, record)
        }
      }
    }
    return { records, bad, gap: problem }
  }

  return { ask, askExactly, keep }
}

export type Asking<Record, E> = ReturnType<typeof make<Record, E>>
