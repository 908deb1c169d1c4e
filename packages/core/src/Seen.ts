/** Defines what one response of a history showed, before anything about it is proven. */
import type * as BadRecord from "./BadRecord.ts"
import type * as Coverage from "./Coverage.ts"

/**
 * One response as it came. It holds its records in the service's own order, including those that lie 1 ms beside the slice that
 * was requested, and none at all at the end of a list. A page that is read twice is two of them.
 */
export interface Seen<out Record> {
  /** The records that could be read. */
  readonly records: ReadonlyArray<Record>
  /** The records that could not be read. */
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** Server time of the response, Unix ms, never ahead of it. */
  readonly readAt: number
  /**
   * The time that was requested, without the millisecond on both sides. A record of `bad` that tells no time may belong anywhere
   * in it. It is absent where nobody knows it.
   */
  readonly asked?: Coverage.Interval
}
