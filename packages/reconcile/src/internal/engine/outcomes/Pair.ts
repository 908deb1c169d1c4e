/** Makes the draft of one deposit and one transfer that are stated to belong together. */
import type * as Outcome from "../../../Outcome.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"

export interface Options {
  readonly code: Outcome.Code
  readonly residual: string
  readonly decidedBy: NonNullable<Outcome.Outcome["decidedBy"]>
  readonly because: Because.Because
  readonly candidates?: ReadonlyArray<Candidate>
}

export const make = (ledger: Ledger.Ledger, deposit: number, transfer: number, options: Options): Draft => ({
  ...options,
  deposits: [deposit],
  transfers: [transfer],
  finality: "closed",
  lagMs: Ledger.lag(ledger, deposit, transfer)
})
