/** One deposit and one transfer that are stated to belong together. */
import type * as Outcome from "../../Outcome.ts"
import { item } from "./Column.ts"
import type { Draft } from "./Drafts.ts"
import * as Ledger from "./Ledger.ts"
import * as Words from "./Words.ts"

export interface Options {
  readonly code: Outcome.Code
  readonly residual: string
  readonly decidedBy: NonNullable<Outcome.Outcome["decidedBy"]>
  /** Why this pair, as the end of the sentence. */
  readonly because: string
  readonly rule?: string
  readonly candidates?: ReadonlyArray<Outcome.Candidate>
}

/** What the residual says, as the middle of the sentence. */
export const difference = (residual: string): string =>
  residual === "0" ? "the same amount" : residual.startsWith("-") ? `${residual.slice(1)} less` : `${residual} more`

export const make = (ledger: Ledger.Ledger, deposit: number, transfer: number, options: Options): Draft => {
  const { because, ...rest } = options
  const lagMs = Ledger.lag(ledger, deposit, transfer)
  const [from, to] = [item(ledger.deposits.entries, deposit), item(ledger.transfers.entries, transfer)]
  return {
    ...rest,
    deposits: [deposit],
    transfers: [transfer],
    finality: "closed",
    lagMs,
    explanation: `Transfer ${to.id} of ${Words.money(to)} came ${Words.lag(lagMs)} deposit ${from.id} of ${
      Words.money(from)
    }; ${because}.`
  }
}
