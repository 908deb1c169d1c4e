/** The members of an outcome that states no pair, as candidates of each other. */
import type * as Outcome from "../../Outcome.ts"
import { item } from "./Column.ts"
import type { Ledger } from "./Ledger.ts"
import type { Run } from "./Run.ts"

interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

/** Ties members to each other: what becomes of one was decided with a look at the others. */
export const tie = ({ ties }: Run, { deposits, transfers }: Members): void => {
  const [deposit, transfer] = [deposits[0], transfers[0]]
  if (deposit === undefined || transfer === undefined) return
  for (const other of deposits) ties.across(other, transfer)
  for (const other of transfers) ties.across(deposit, other)
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
