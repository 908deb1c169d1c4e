/** The members of an outcome that states no pair, as candidates of each other. */
import type * as Outcome from "../../Outcome.ts"
import { item } from "./Column.ts"
import type { Ledger } from "./Ledger.ts"

interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

export const asCandidates = (
  ledger: Ledger,
  { deposits, transfers }: Members,
  reason: string
): ReadonlyArray<Outcome.Candidate> => [
  ...deposits.map((index): Outcome.Candidate => ({
    side: "deposit",
    id: item(ledger.deposits.entries, index).id,
    reason
  })),
  ...transfers.map((index): Outcome.Candidate => ({
    side: "transfer",
    id: item(ledger.transfers.entries, index).id,
    reason
  }))
]
