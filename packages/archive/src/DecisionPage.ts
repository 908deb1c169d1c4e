/** A page of the decisions, as a person looks through them: the last one first. */
import type * as Decision from "./Decision.ts"
import type { Head } from "./internal/ledger/Chain.ts"

/** Those decisions for which all of this holds. */
export interface Asked {
  /** They are by this person, however the name is written (`Decision.isSamePerson`). */
  readonly by?: string
  /** They are of one of these kinds. */
  readonly kinds?: ReadonlyArray<Decision.Kind>
  /** They are about this entry, or approve or take back a decision that is. */
  readonly entry?: Pick<Decision.Subject, "id" | "side">
  /**
   * This text stands in their words, reason or author, or in the asset or id of one of their entries; large and small letters are the
   * same.
   */
  readonly text?: string
  /** They wait for another person, hold, or were taken back. */
  readonly standing?: "holds" | "proposed" | "revoked"
  /** They stand before this row of the ledger: the `next` of the page before. */
  readonly before?: number
  /** The page has so many at most, from 1 to 1,000. Default: 50. */
  readonly limit?: number
}

export interface DecisionPage {
  /** The last one first. */
  readonly decisions: ReadonlyArray<Decision.Decision>
  /** The number with which the next page is asked for (`before`); absent where this is the last page. */
  readonly next?: number
  /** So many decisions there are for which all of that holds, on whatever page. */
  readonly count: number
  /** The end of the ledger, as far as it is as it was written. */
  readonly head: Head
  /**
   * What is wrong with the ledger behind its head; absent where nothing was found. A page compares the rows that this process has not read
   * before, and the last one that it has; `Archive.ledger` compares all.
   */
  readonly fault?: string
}
