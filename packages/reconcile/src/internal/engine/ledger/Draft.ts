/** Holds outcomes while the tiers are at work: their entries by position, and the condition under which they become final. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../../Outcome.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import type { Ledger } from "./Ledger.ts"

/**
 * The condition under which an outcome is final: `always`; `never` before more is read; once its component is `closed`, that
 * is, no entry yet unread could join it; or once the `horizon` (window and lateness) of its entries has been read as well.
 */
type Finality = "always" | "never" | "closed" | "horizon"

type Kept = "lagMs" | "decidedBy" | "matchedCount" | "openCount" | "openSum"

export interface Draft extends Partial<Pick<Outcome.Outcome, Kept>> {
  readonly code: Outcome.Code
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
  readonly finality: Finality
  /** Whether an entry of another outcome may belong here, so that waiting alone decides nothing. */
  readonly isContested?: boolean
  /** The reason, as data. Words are made together with the outcome. */
  readonly because: Because.Because
  readonly residual?: string
  /** Pairs inside the outcome, by position. */
  readonly pairs?: ReadonlyArray<readonly [deposit: number, transfer: number]>
  readonly candidates?: ReadonlyArray<Candidate>
  readonly missing?: Coverage.Coverage
}

/** Takes an outcome and closes its entries. */
export type Settle = (draft: Draft) => void

/** Makes the list of drafts. */
export const collect = (
  { deposits, transfers }: Ledger
): { readonly drafts: Array<Draft>; readonly settle: Settle } => {
  const drafts: Array<Draft> = []
  return {
    drafts,
    settle: (draft) => {
      for (const deposit of draft.deposits) deposits.open[deposit] = 0
      for (const transfer of draft.transfers) transfers.open[transfer] = 0
      drafts.push(draft)
    }
  }
}
