/** A page of the runs, as a person looks through them: the last recorded first. */
import type * as Lookup from "./internal/runs/Lookup.ts"
import type * as Run from "./Run.ts"

/** Those runs for which all of this holds. */
export interface Asked extends Omit<Lookup.Asked, "limit"> {
  /** They stand behind the page that told this `next`. */
  readonly before?: number
  /** The page has so many at most, from 1 to 1,000. Default: 50. */
  readonly limit?: number
}

/** A run, and what it is to the books. */
export interface Paged {
  readonly run: Run.Listed
  /**
   * The numbers of the executions that brought the books forward by it, the first one first: none of a run that only answered a
   * question. Of a ledger that is damaged those before its fault count.
   */
  readonly executions: ReadonlyArray<number>
}

export interface RunPage {
  /** The last recorded first. */
  readonly runs: ReadonlyArray<Paged>
  /** The number with which the next page is asked for (`before`); absent where this is the last page. */
  readonly next?: number
  /** So many runs there are for which all of that holds, on whatever page. */
  readonly count: number
}
