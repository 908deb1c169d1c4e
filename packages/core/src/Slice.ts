/**
 * The one currency between a source and whoever reads it: records, what is known about their completeness, and the
 * passing of time, together.
 */
import * as Stream from "effect/Stream"
import type * as BadRecord from "./BadRecord.ts"
import * as Coverage from "./Coverage.ts"

/**
 * All records of a source whose own time lies in `[from, to)`, in time order, with those that could not be read.
 *
 * Slices of one stream do not overlap and come in time order. `coverage` speaks about `[from, to)` only and may hold
 * several values: one a query, or a complete part and an open tail.
 */
export interface Slice<out Record> {
  /** First millisecond of record time (Unix, inclusive). */
  readonly from: number
  /** End of record time (Unix ms, exclusive). */
  readonly to: number
  readonly records: ReadonlyArray<Record>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

/**
 * Slices of a user's own source: its entries, in order of time (`at`, Unix ms), and what its owner vouches for. Entries
 * of one millisecond never stand in two slices.
 */
export const fromEntries = <Entry extends { readonly at: number }, E, R>(
  entries: Stream.Stream<Entry, E, R>,
  coverage: ReadonlyArray<Coverage.Coverage>
): Stream.Stream<Slice<Entry>, E, R> => {
  const begin = Math.min(...coverage.map(({ from }) => from))
  const end = Math.max(...coverage.map(({ to }) => to))
  const slice = (from: number, to: number, records: ReadonlyArray<Entry>): Slice<Entry> => ({
    from,
    to,
    records,
    bad: [],
    coverage: Coverage.clip(coverage, { from, to })
  })
  return Stream.mapAccumArray(
    entries,
    (): { readonly from: number; readonly held: ReadonlyArray<Entry> } => ({ from: begin, held: [] }),
    ({ from, held }, chunk) => {
      const known = [...held, ...chunk]
      const last = known.reduce((latest, { at }) => Math.max(latest, at), from)
      const start = known.reduce((earliest, { at }) => Math.min(earliest, at), from)
      const before = known.filter(({ at }) => at < last)
      return [
        { from: last, held: known.filter(({ at }) => at >= last) },
        last > start ? [slice(start, last, before)] : []
      ]
    },
    {
      onHalt: ({ from, held }) => {
        const to = held.reduce((latest, { at }) => Math.max(latest, at + 1), Math.max(from, end))
        return to > from ? [slice(from, to, held)] : []
      }
    }
  )
}
