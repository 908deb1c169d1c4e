/** An open item is what a person at the desk sees of the books: the entries that wait together, because one outcome has them all. */
import type * as BookState from "./BookState.ts"
import type * as Decision from "./Decision.ts"
import type { EntryState } from "./internal/books/EntryStates.ts"

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
  readonly entries: ReadonlyArray<EntryState>
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
