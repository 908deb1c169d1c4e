/** One deposit and one transfer that are stated to belong together. */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Words from "../Words.ts"

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

/** How the transfer lies to the deposit, and `because` why the two belong together. */
export const sentence = (deposit: Entry.Entry, transfer: Entry.Entry, because: string): string =>
  `Transfer ${transfer.id} of ${Words.money(transfer)} came ${
    Words.lag(transfer.at - deposit.at)
  } deposit ${deposit.id} of ${Words.money(deposit)}; ${because}.`

/** Why a pair of equal amounts is stated that is in every maximum matching. */
export const FORCED = "the amounts are equal, and no other pairing of equal amounts accounts for as many entries"

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
    explanation: sentence(from, to, because)
  }
}
