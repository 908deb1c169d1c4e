/** Outcomes while the tiers are at work: entries by position, and how far they are from final. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../../Outcome.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Told.ts"
import type { Ledger } from "./Ledger.ts"
import type { Told } from "./Told.ts"

/**
 * When an outcome is final: `always`; `never` before more is read; once its component is `closed`, that is, no entry yet
 * unread could join it; or once the `horizon` (window and lateness) of its entries has been read as well.
 */
type Finality = "always" | "never" | "closed" | "horizon"

type Kept = "lagMs" | "decidedBy" | "matchedCount" | "openCount" | "openSum"

export interface Draft extends Partial<Pick<Outcome.Outcome, Kept>> {
  readonly code: Outcome.Code
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
  readonly finality: Finality
  /** Why, as data: words are made when the outcome is. */
  readonly because: Because.Because
  readonly residual?: string
  /** Pairs inside the outcome, by position. */
  readonly pairs?: ReadonlyArray<readonly [deposit: number, transfer: number]>
  readonly candidates?: ReadonlyArray<Candidate>
  readonly missing?: Coverage.Coverage
}

/** Takes an outcome; its entries are open no longer. */
export type Settle = (draft: Draft) => void

/** Of entries whose outcome was told before, only that outcome is taken: what is told stays as it is. */
export const collect = (
  { deposits, transfers }: Ledger,
  told: Told
): { readonly drafts: Array<Draft>; readonly settle: Settle } => {
  const drafts: Array<Draft> = []
  return {
    drafts,
    settle: (draft) => {
      if (!told.allows(draft)) return
      for (const deposit of draft.deposits) deposits.open[deposit] = 0
      for (const transfer of draft.transfers) transfers.open[transfer] = 0
      drafts.push(draft)
    }
  }
}
