/** Describes the records that were read of one part of time, and merges and compares two readings of it. */
import type * as Effect from "effect/Effect"
import type * as BadRecord from "../../BadRecord.ts"
import type * as Coverage from "../../Coverage.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as PageLengths from "./PageLengths.ts"
import type * as Sightings from "./Sightings.ts"

/** The functions by which the records of two readings are compared. */
export type Contents<Record> = Pick<Sightings.Identified<Record>, "content" | "identity">

/** The reading of `[from, to)`. Without a gap it holds every record. */
export interface Reading<Record> {
  readonly records: ReadonlyArray<Record>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly gap: Coverage.Gap | undefined
  /** The earliest and the latest moment at which any part of it may have been answered, in server time. */
  readonly at: ServerClock.Moment
  /** The longest list that was read for it. */
  readonly listing: PageLengths.Listing
}

/** The records of a slice that one response, or several, showed. */
export type Shown<Record> = Pick<Reading<Record>, "records" | "bad">

/** The reading of a part. `failed` says why reading ended early; other parts of the slice need not be requested then. */
export interface Part<Record> extends Reading<Record> {
  readonly failed: Coverage.Gap | undefined
}

/** The most requests and records for one slice. */
export interface Budget {
  readonly requests: number
  readonly records: number
}

/** The remainder of a budget. */
export interface Left {
  requests: number
  records: number
}

export type Read<Record, E> = (from: number, to: number, left: Left) => Effect.Effect<Part<Record>, E>

/** The empty moment: merged with another moment it gives that one. */
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

/** A record was shown once and not again. In settled time this means that the server's lists leave records out. */
export const SHOWN_ONCE = gap("unproven", "a record was shown once and not again")

/** Counts the records of each identity, or of each content. */
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

/** Returns the gap of a record that came with two contents. */
export const conflict = (identity: string): Coverage.Gap => gap("source-conflict", `${identity} came with two contents`)

/** Returns the identity of a record that stands in both lists with different contents. */
export const conflicting = <Record>(
  { content, identity }: Contents<Record>,
  one: ReadonlyArray<Record>,
  other: ReadonlyArray<Record>
): string | undefined => {
  if (content === undefined) return undefined
  const known = new Map(one.map((record) => [identity(record), record]))
  const found = other.find((record) => content(known.get(identity(record)) ?? record) !== content(record))
  return found && identity(found)
}

/**
 * Adds the records that one response showed and the reading lacks, or holds with another content. They existed, so they are
 * delivered, with a gap.
 *
 * Responses are compared one by one, because a record may stand on two pages and is not two records for that.
 */
export const holding =
  <Record>(contents: Contents<Record>) => (reading: Reading<Record>, response: Shown<Record>): Reading<Record> => {
    const content = contents.content ?? contents.identity
    const held = counted(reading.records, content)
    const lost = response.records.filter((record) => {
      const id = content(record)
      const count = held.get(id) ?? 0
      held.set(id, count - 1)
      return count <= 0
    })
    const bad = distinctBad(reading.bad, response.bad)
    if (lost.length === 0 && bad.length === reading.bad.length) return reading
    const disputed = conflicting(contents, reading.records, lost)
    if (disputed !== undefined) {
      return { ...reading, records: reading.records.concat(lost), bad, gap: reading.gap ?? conflict(disputed) }
    }
    return {
      ...reading,
      records: reading.records.concat(lost),
      bad,
      gap: reading.gap ?? (lost.length > 0 ? SHOWN_ONCE : gap("unproven", "a text was shown once and not again"))
    }
  }

/** Returns the shown records that belong to `[from, to)`. An unreadable record that tells no time belongs to every interval. */
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
