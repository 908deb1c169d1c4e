/** A candidate is an entry of the other side that a person might link with an open one, and what speaks for and against it. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as BookState from "./BookState.ts"
import type * as Decision from "./Decision.ts"
import type { EntryState } from "./internal/books/EntryStates.ts"
import type * as PairAlone from "./internal/books/PairAlone.ts"

export type { AmountFit, TimeFit } from "./internal/books/PairAlone.ts"

/** An entry as the archive keeps it now. */
export interface Kept extends Decision.Subject {
  /** What the policy of the books takes its status for. */
  readonly status: Entry.Status
  /** Its sub-account, where it is known. */
  readonly account?: string
  /** The key that the two sides may share, where it has one. */
  readonly reference?: string
}

/** In which fields the candidate agrees with the entry, under the policy of the books. */
export interface Agreement {
  /** The assets have one name, or the policy calls them one. */
  readonly asset: boolean
  /** Null where the account of either is not known. */
  readonly account: boolean | null
  readonly amount: PairAlone.AmountFit
  /** It counts from the deposit's own time, also where it settled later. */
  readonly time: PairAlone.TimeFit
  /** Null where either has none. */
  readonly reference: boolean | null
}

/** Where the candidate stands in the books. */
export type Standing =
  /** It waits, as the open entry does. */
  | { readonly _tag: "Waiting"; readonly state: BookState.Waiting; readonly of: EntryState }
  /** It waited once, and is settled. */
  | { readonly _tag: "Settled"; readonly state: BookState.Settled; readonly of: EntryState }
  /** It never waited: the last run over its time settled it, or did not know it yet. `Candidates.outcome` tells. */
  | { readonly _tag: "NeverWaited"; readonly execution: number; readonly run: string }
  /** No execution was about its time. */
  | { readonly _tag: "NotJudged" }

/**
 * Why a link of the two cannot be made, or is not followed. `Contradicted` names a decision that holds or is proposed, and has to be
 * revoked first; `Policy` is no refusal: the ledger wins over the line of the policy file, and each report names both.
 */
export type Hindrance =
  | { readonly _tag: "Contradicted"; readonly decision: number; readonly kind: Decision.Kind; readonly says: string }
  /** A complete reading of its time no longer showed it. */
  | { readonly _tag: "Vanished"; readonly side: Entry.Side }
  /** A movement that failed is matched with nothing. */
  | { readonly _tag: "Failed"; readonly side: Entry.Side }
  /** The policy does not call the two assets one. */
  | { readonly _tag: "OtherAsset" }
  | { readonly _tag: "Policy"; readonly kind: Decision.Ruling["kind"] }

export interface Candidate {
  readonly entry: Kept
  readonly agrees: Agreement
  /** The deposit less the transfer, exact; null where the assets are two. */
  readonly difference: string | null
  /** How long the transfer came behind the deposit, ms; negative where it came before. */
  readonly lag: number
  readonly stands: Standing
  /** Empty where nothing stands in the way of a link. */
  readonly hindrances: ReadonlyArray<Hindrance>
}

/** What was found for an entry. */
export interface Candidates {
  readonly entry: Kept
  /**
   * Those in whose way nothing stands come first, then those of which the policy alone says otherwise, then the others. Of these come
   * first those that wait or that no execution judged; then those with the same reference; then the least difference, then the nearest
   * in time, then the id.
   */
  readonly candidates: ReadonlyArray<Candidate>
  /**
   * All records of this time and of its asset were looked at, Unix ms. Of the rest of the time that was asked for, those with its
   * reference were, and the 200 nearest of its asset that wait. The likeliest of all these were compared.
   */
  readonly searched: Coverage.Interval
}
