/**
 * The one currency between a source and whoever reads it: records, what is known about their completeness, and the
 * passing of time, together.
 */
import type * as BadRecord from "./BadRecord.ts"
import type * as Coverage from "./Coverage.ts"

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
