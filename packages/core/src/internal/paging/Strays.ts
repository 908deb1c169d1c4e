/**
 * Collects records that came back for a time that is not theirs.
 *
 * A service that filters by whole minutes shows some records of the neighbouring slice. The response to that slice then shows
 * them as well. If it does not, the slice was not answered whole, because the service filters by another time than the one that
 * its records show.
 */
import type * as Coverage from "../../Coverage.ts"
import * as Reading from "./Reading.ts"

export interface Strays<Record> {
  /** Keeps the records that a response to `[start, end]`, Unix ms, showed. */
  readonly show: (start: number, end: number, records: ReadonlyArray<Record>) => void
  /** Returns the reading of a slice together with the records of it that only other slices showed, and a gap for them. */
  readonly join: (slice: Coverage.Interval, reading: Reading.Reading<Record>) => Reading.Reading<Record>
}

export const make = <Record>(
  source: Reading.Contents<Record> & { readonly time: (record: Record) => number }
): Strays<Record> => {
  const { time } = source
  const content = source.content ?? source.identity
  const strays = new Map<string, Record>()
  const join = Reading.holding(source)
  return {
    show: (start, end, records) => {
      for (const record of records) {
        const at = time(record)
        if (at < start || at > end) strays.set(content(record), record)
      }
    },
    join: ({ from, to }, reading) => {
      if (strays.size === 0) return reading
      const own = Array.from(strays.values()).filter((record) => time(record) < to)
      for (const record of own) strays.delete(content(record))
      return join(reading, { records: own.filter((record) => time(record) >= from), bad: [] })
    }
  }
}
