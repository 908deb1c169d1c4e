/**
 * A history is one side of the books, as an archive keeps it. This file says what it is asked, what it is given, and what it
 * tells.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import type * as ArchiveError from "../../ArchiveError.ts"

type Result<A> = Effect.Effect<A, ArchiveError.DatabaseError>

/** The result of an operation that takes times. */
type Ranged<A> = Effect.Effect<A, ArchiveError.IntervalError>

/** One transaction changed this much. */
export interface Change {
  /** So many records were not known. */
  readonly added: number
  /** So many new versions of known records came, conflicting ones included. */
  readonly changed: number
  /** So many records were no longer shown by a complete reading. */
  readonly vanished: number
  /** So many records had vanished and are shown again. */
  readonly returned: number
}

/** The interval of record time that is read, `[from, to)` in Unix ms, and how it is cut. */
export interface SlicesOptions extends Coverage.Interval {
  /** A slice has about so many records, 1 or more; those of one millisecond stay together. The default is 4096. */
  readonly batch?: number
  /** Contents that contradict a record of another time count as records of their own time as well. The default is false. */
  readonly disputed?: boolean
}

/** The first and the last of the records' own times, Unix ms, are null where there is no record. */
export interface Extent {
  /** The time of the earliest record, Unix ms. */
  readonly first: number | null
  /** The time of the latest record, Unix ms. */
  readonly last: number | null
}

/** These are the numbers of rows that a history holds. */
export interface Counts {
  /** So many records are kept, each in its latest version. */
  readonly records: number
  /** So many earlier versions that the service showed are kept beside the latest. */
  readonly versions: number
  /** So many versions that files told are kept beside the latest. */
  readonly fromFiles: number
  /** So many contents contradict a record of the same identity. */
  readonly conflicts: number
  /** So many records were no longer shown by a complete reading. */
  readonly vanished: number
  /** So many texts could not be read as a record. */
  readonly unreadable: number
}

/**
 * The rows that are kept of this stretch of time are not those that were written. Rows are records, their versions, and records
 * that could not be read.
 */
export interface Damage extends Coverage.Interval {
  /** The damaged rows are of this operation. */
  readonly operation: Coverage.Coverage["operation"]
  /** So many rows were written. */
  readonly expected: number
  /** So many rows are there. */
  readonly found: number
  /** So many of those are not as they were written. */
  readonly altered: number
}

/** A history keeps one side of the books, and gives it back. */
export interface History<Record> {
  /**
   * Keeps what a response showed, in one transaction. It widens no coverage and is idempotent. Like every operation that takes
   * times, it fails with the reason `InvalidRange` where one of them is not a time.
   */
  readonly savePage: (page: Seen.Seen<Record>, query?: Coverage.TransferQuery) => Ranged<Change>
  /**
   * Keeps a slice in one transaction: its records, and what is known about `[from, to)`. Complete coverage stays complete;
   * known records that a complete slice does not show have vanished. Coverage of another operation, query or time, or
   * behind its own `readAt`, is not believed, and a record whose time lies elsewhere is kept without coverage.
   */
  readonly saveSlice: (slice: Slice.Slice<Record>, query?: Coverage.TransferQuery) => Ranged<Change>
  /**
   * Keeps what is known of time that could not be read, of any queries, in one transaction; those of a query do not overlap.
   * Complete coverage stays complete. Coverage of another operation, or that is not incomplete, is not believed.
   */
  readonly saveGaps: (gaps: ReadonlyArray<Coverage.Coverage>) => Ranged<void>
  /**
   * Keeps records of an old export, in one transaction. `seenAt` is the time when the export was made (Unix ms), not in the
   * future. Whatever the service showed stays beside the word of a file: the file's word is the latest where `seenAt` lies
   * behind the last time that the service showed the record, and the status that it showed had not ended. An export is not
   * taken as a reading: no record vanishes because of it.
   */
  readonly importRecords: (records: ReadonlyArray<Record>, seenAt?: number) => Ranged<Change>
  /**
   * Streams everything that is kept whose own time lies in `[from, to)`, in time order, with the coverage of each slice's time.
   */
  readonly slices: (
    options: SlicesOptions
  ) => Stream.Stream<Slice.Slice<ArchivedRecord.ArchivedRecord<Record>>, ArchiveError.SlicesError>
  /**
   * Streams the records of these assets as `slices` gives them, cut otherwise, and reads no others. It tells nothing of coverage and
   * of records that cannot be read: control totals are those of all assets, so that `slices` alone can tell what is missing.
   */
  readonly ofAssets: (
    assets: ReadonlyArray<string>,
    options: SlicesOptions
  ) => Stream.Stream<Slice.Slice<ArchivedRecord.ArchivedRecord<Record>>, ArchiveError.SlicesError>
  /** Gives every record of these names, of any time, in time order: transfers by `tranId`, deposits by `txId`. */
  readonly named: (names: ReadonlyArray<string>) => Result<ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>>>
  /** Names the stretches, of a day or less, that are not as they were written. It reads every record of the interval. */
  readonly check: (interval: Coverage.Interval) => Result<ReadonlyArray<Damage>>
  /**
   * Takes damaged rows out, which are kept as records that cannot be read, and takes back that their stretches were complete in
   * the interval, so that a sync reads them again. `slices` never gives the rest of such a day (UTC) as complete any more: the
   * earlier state of its records is lost. It returns the damaged stretches. It looks at about `most` rows, by default at all;
   * where there are more, it begins at any time.
   */
  readonly repair: (interval: Coverage.Interval, most?: number) => Result<ReadonlyArray<Damage>>
  /** Gives the days, or the rest of one (UTC), that touch the interval and of which a repair found rows lost. */
  readonly lost: (interval: Coverage.Interval) => Result<ReadonlyArray<Coverage.Interval>>
  /**
   * Gives the times of records in the interval that lost an earlier version or a conflicting content. It reads all that
   * changed.
   */
  readonly bereft: (interval: Coverage.Interval) => Result<ReadonlyArray<Coverage.Interval>>
  /** Gives the times of records in the interval of which a file tells another status than the service does. */
  readonly disputed: (interval: Coverage.Interval) => Result<ReadonlyArray<Coverage.Interval>>
  /** Gives the first and the last time among the records that are kept. */
  readonly extent: Result<Extent>
  /** Counts what is kept. It looks at every record, which takes some seconds for ten million of them. */
  readonly counts: Result<Counts>
}
