/** Requests one part of time, a little wider than it is and within a budget, and keeps the records that belong to it. */
import * as Effect from "effect/Effect"
import type * as BadRecord from "../../BadRecord.ts"
import type * as Coverage from "../../Coverage.ts"
import * as Page from "../../Page.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"
import type * as Sightings from "./Sightings.ts"

/** One page, and the service's time from the request to the answer. */
export interface Response<Record> {
  readonly page: Page.Page<Record>
  readonly at: ServerClock.Moment
  /** The gap of a page that could not be read; `page` is empty then. */
  readonly failed?: Coverage.Gap
}

/** The page of a list that is wanted. Without a number the service chooses, and answers with the first page. */
export interface Wanted {
  readonly page?: number
  /** The length of the page; absent: the longest that is allowed. */
  readonly limit?: number
}

/** A list operation of which everything but time and page is fixed. */
export interface Source<Record, E> extends Sightings.Identified<Record> {
  /** Requests a page. `startTime` and `endTime` are Unix ms, as the service takes them; pages count from 1. */
  readonly page: (startTime: number, endTime: number, wanted: Wanted) => Effect.Effect<Response<Record>, E>
  /** The earliest time that is requested, Unix ms: the service may refuse what lies too far back. Absent: no limit. */
  readonly oldest?: number | undefined
  readonly time: (record: Record) => number
  /** Returns the time of an unreadable record from its raw text, where the text still tells it. */
  readonly badTime: (raw: string) => number | undefined
  /** Whether equal identities in one response are one record that is shown twice (`same`), or as many records (`several`). */
  readonly twins: "same" | "several"
  /** Whether a lone response of this length looks like the first page of a list whose other pages the service does not give. */
  readonly looksCut: (length: number) => boolean
}

/** The records of a part that a response, or several, showed. */
export interface Kept<Record> {
  readonly records: ReadonlyArray<Record>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly gap: Coverage.Gap | undefined
}

/** After so many requests the event loop gets a turn, because answers from memory leave none to timers. */
const TURN = 64

export const MINUTE = 60_000

/**
 * Returns where a part is cut in two: on a whole minute where it is long enough, because a service may filter
 * by whole minutes.
 */
export const middle = (from: number, to: number): number => {
  const exact = from + Math.floor((to - from) / 2)
  const whole = Math.floor(exact / MINUTE) * MINUTE
  return to - from >= 2 * MINUTE && whole > from ? whole : exact
}

/**
 * Returns the times that are requested for a part. They are 1 ms wider on both sides, so that inclusive and exclusive ends give
 * the same records, and whole minutes where the part has that length, because a service may filter by whole minutes.
 */
const asked = (from: number, to: number): { readonly start: number; readonly end: number } => {
  const step = to - from >= MINUTE ? MINUTE : 1
  return {
    start: Math.floor(from / step) * step - 1,
    end: Math.min(Math.ceil(to / step) * step, Number.MAX_SAFE_INTEGER)
  }
}

export const make = <Record, E>(source: Source<Record, E>, lengths: PageLengths.PageLengths, most: Reading.Budget) => {
  let requests = 0
  const givenUp = (count: number, what: string): Response<Record> => ({
    page: { records: [], bad: [] },
    at: Reading.NEVER,
    failed: Reading.gap("unproven", `no end after ${count} ${what}; shorter slices may help (conventions.sliceLength)`)
  })

  const learn = (start: number, end: number, { at, page }: Response<Record>): void => {
    lengths.sawLength(Page.length(page))
    // The future has no records yet, so a range ends now for the reach that it shows.
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
      const turn = ++requests % TURN === 0 ? Effect.yieldNow : Effect.void
      left.requests--
      return Effect.tap(Effect.andThen(turn, source.page(start, end, wanted)), (response) =>
        Effect.sync(() => {
          left.records -= Page.length(response.page)
          learn(start, end, response)
        }))
    })

  const ask = (from: number, to: number, wanted: Wanted, left: Reading.Left) => {
    const { end, start } = asked(from, to)
    return request(start, end, wanted, left)
  }

  /** Requests the same without whole minutes, for a reading by other cuts. */
  const askExactly = (from: number, to: number, wanted: Wanted, left: Reading.Left) =>
    request(from - 1, to, wanted, left)

  /**
   * Whether an unreadable record belongs to the next slice. A record that tells no time, or an impossible one, belongs to every
   * slice.
   */
  const isNeighbour = (raw: string, from: number, to: number): boolean => {
    const time = source.badTime(raw)
    const { end, start } = asked(from, to)
    return time !== undefined && ((time >= start && time < from) || (time >= to && time <= end))
  }

  /**
   * Keeps the records that belong to `[from, to)`. Records outside of the requested time are left out, and
   * are a reason to doubt.
   */
  const keep = (from: number, to: number, pages: ReadonlyArray<Page.Page<Record>>): Kept<Record> => {
    const { end, start } = asked(from, to)
    // A service that filters by minutes begins with the minute in which the requested time begins.
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
            problem = Reading.conflict(identity)
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
