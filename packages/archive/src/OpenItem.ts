/** An open item is what a person at the desk sees of the books: the entries that wait together, because one outcome has them all. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Arr from "effect/Array"
import type * as BookState from "./BookState.ts"
import type * as Decision from "./Decision.ts"
import type { BookTotals } from "./internal/books/BookTotals.ts"
import type { EntryState } from "./internal/books/EntryStates.ts"

export type {
  /** So many items of one state and code, and what entries of one side and state are worth. */
  ItemCount,
  WorthTotal
} from "./internal/books/BookTotals.ts"

export type {
  /** Where an entry stands in the books, and since when. */
  EntryState
} from "./internal/books/EntryStates.ts"

export interface OpenItem {
  /**
   * `i` and 16 hexadecimal digits, a hash of its earliest entry. Where items become one or several, every earlier id goes on to
   * name the entry that it was made of.
   */
  readonly id: string
  readonly state: BookState.Waiting
  readonly code: EntryState["code"]
  /** The id of the outcome, which `Runs.outcome` gives in words. */
  readonly outcome: string
  /** The time of its earliest entry, Unix ms: its age counts from here. */
  readonly at: number
  /** The number of the first execution in which one of its entries waited, also where it was settled meanwhile. */
  readonly since: number
  /** The number of the last execution that judged one of them; of what waited after an earlier execution, that changed one. */
  readonly execution: number
  /** Its entries, by time. */
  readonly entries: Arr.NonEmptyReadonlyArray<EntryState>
}

/** What became of an item: of the entry that it is named after, and of others. */
export interface Former {
  /** The entry that it is named after, where that stands now. */
  readonly entry: EntryState
  /** The entries that waited with it in one outcome at any time, and wait now: with it, or in other items. */
  readonly waiting: ReadonlyArray<Pick<EntryState, "id" | "side">>
}

interface WithoutEntriesCommon {
  /** `u` and 16 hexadecimal digits, a hash of what it is. */
  readonly id: string
  /** The number of the first execution that met it. */
  readonly since: number
  /** The number of the last execution that met it. */
  readonly execution: number
}

/**
 * A record that could not be read: nobody knows of which entry it tells, so that it has no asset and no amount. It is one item however
 * many runs met it, as is every record of the same text on the same side as often as one run met that text.
 */
export interface BadRecordItem extends WithoutEntriesCommon {
  readonly _tag: "BadRecord"
  readonly record: BadRecord.BadRecord
  /** The time that its text tells, Unix ms; absent where the text tells none. Nothing else vouches for it. */
  readonly at?: number
  /** The first execution that met it was made at this time, Unix ms: its age counts from here. */
  readonly metAt: number
  /** The id of its outcome, which `Runs.outcome` gives in words. */
  readonly outcome: string
  /** The id of the last run that met it. */
  readonly run: string
}

/** Time of which not everything was read when it was judged last. Stretches of one operation are apart. */
export interface GapItem extends WithoutEntriesCommon {
  readonly _tag: "Gap"
  readonly operation: Coverage.Coverage["operation"]
  /** Its beginning, Unix ms: its age counts from here, and its id names it. */
  readonly from: number
  /** Its end, Unix ms, exclusive. */
  readonly to: number
  /** What is lacking, list by list where transfers were asked for by lists, each with its time and cause. */
  readonly parts: ReadonlyArray<Coverage.Coverage>
}

/** What the books do not know, although executions are about it. It is counted, and has no amount. */
export type WithoutEntries = BadRecordItem | GapItem

/** What waits in the books, counted. */
export interface Totals extends BookTotals {
  /** When the last execution was made, Unix ms. */
  readonly executedAt: number
  /** Time of the executions that was not read when it was judged last, Unix ms; ascending and apart. */
  readonly unread: ReadonlyArray<Coverage.Interval>
}

/** What the books and the ledger say of one entry. */
export interface Story {
  /** Where it stands now. */
  readonly entry: EntryState
  /** What became of it, the first execution first. */
  readonly changes: ReadonlyArray<EntryState>
  /** The decisions on it, the first one first. */
  readonly decisions: ReadonlyArray<Decision.Decision>
}
