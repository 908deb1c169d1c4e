/** What was read of one part of time, and how two readings of it are put together and compared. */
import type * as Effect from "effect/Effect"
import type * as BadRecord from "../../BadRecord.ts"
import type * as Coverage from "../../Coverage.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as PageLengths from "./PageLengths.ts"

/** What was read of `[from, to)`. Without a gap it is everything. */
export interface Reading<Record> {
  readonly records: ReadonlyArray<Record>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly gap: Coverage.Gap | undefined
  /** From the earliest to the latest moment at which any of it may have been answered, in server time. */
  readonly at: ServerClock.Moment
  /** The longest list that was read for it. */
  readonly listing: PageLengths.Listing
}

/** What one response, or several, showed of a slice. */
export type Shown<Record> = Pick<Reading<Record>, "records" | "bad">

/** What was read of a part. `failed`: why reading ended early; there is no use in asking for other parts of the slice. */
export interface Part<Record> extends Reading<Record> {
  readonly failed: Coverage.Gap | undefined
}

/** What may be asked for one slice. */
export interface Budget {
  readonly requests: number
  readonly records: number
}

/** What is left of a budget. */
export interface Left {
  requests: number
  records: number
}

export type Read<Record, E> = (from: number, to: number, left: Left) => Effect.Effect<Part<Record>, E>

/** No moment at all: around it and another one is the other one. */
export const NEVER: ServerClock.Moment = { earliest: Number.POSITIVE_INFINITY, latest: Number.NEGATIVE_INFINITY }

export const around = (one: ServerClock.Moment, other: ServerClock.Moment): ServerClock.Moment => ({
  earliest: Math.min(one.earliest, other.earliest),
  latest: Math.max(one.latest, other.latest)
})

export const gap = (code: Coverage.Gap["code"], detail: string): Coverage.Gap => ({ code, detail })

export const fullMillisecond = (from: number, length: number): Coverage.Gap =>
  gap("full-millisecond", `${length} records around ${from} (Unix ms) fill a response`)

export const distinctBad = (
  left: ReadonlyArray<BadRecord.BadRecord>,
  right: ReadonlyArray<BadRecord.BadRecord>
): ReadonlyArray<BadRecord.BadRecord> => {
  const known = new Set(left.map(({ raw }) => raw))
  return left.concat(right.filter(({ raw }) => !known.has(raw)))
}

/** A record that was shown is not there any more: of settled time only a server says so whose lists leave records out. */
export const SHOWN_ONCE = gap("unproven", "a record was shown once and not again")

/** How often each identity stands among the records. */
export const counted = <Record>(
  records: ReadonlyArray<Record>,
  identity: (record: Record) => string
): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const record of records) {
    const id = identity(record)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

export const sameCounts = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean =>
  one.size === other.size && Array.from(one).every(([id, count]) => other.get(id) === count)

/**
 * What one response showed and the reading does not hold was there all the same: it is delivered, and a reason to doubt.
 * Responses are compared one by one, because a record may stand on two pages and is not two records for that.
 */
export const holding =
  <Record>(identity: (record: Record) => string) =>
  (reading: Reading<Record>, response: Shown<Record>): Reading<Record> => {
    const held = counted(reading.records, identity)
    const lost = response.records.filter((record) => {
      const id = identity(record)
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
      gap: reading.gap ?? (lost.length > 0 ? SHOWN_ONCE : gap("unproven", "a text was shown once and not again"))
    }
  }

/** What was shown of `[from, to)`; an unreadable record that tells no time belongs everywhere. */
export const within = <Record>(
  source: {
    readonly time: (record: Record) => number
    readonly badTime: (raw: string) => number | undefined
  },
  { bad, records }: Shown<Record>,
  { from, to }: Coverage.Interval
): Shown<Record> => ({
  records: records.filter((record) => source.time(record) >= from && source.time(record) < to),
  bad: bad.filter(({ raw }) => {
    const time = source.badTime(raw)
    return time === undefined || (time >= from && time < to)
  })
})
