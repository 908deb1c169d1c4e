/** Entries that were considered for an open entry and not taken, gathered on the way. */
import type * as Outcome from "../../Outcome.ts"
import type { Ledger } from "./Ledger.ts"

export interface Notes {
  /** Notes on each of the two why it is not paired with the other. */
  readonly between: (deposit: number, transfer: number, reason: string) => void
  readonly ofDeposit: (deposit: number) => ReadonlyArray<Outcome.Candidate>
  readonly ofTransfer: (transfer: number) => ReadonlyArray<Outcome.Candidate>
}

export const make = ({ deposits, transfers }: Ledger): Notes => {
  const [lefts, rights] = [new Map<number, Array<Outcome.Candidate>>(), new Map<number, Array<Outcome.Candidate>>()]
  const note = (notes: Map<number, Array<Outcome.Candidate>>, index: number, candidate: Outcome.Candidate): void => {
    const known = notes.get(index)
    if (known === undefined) notes.set(index, [candidate])
    else if (!known.some(({ id }) => id === candidate.id)) known.push(candidate)
  }
  return {
    between: (deposit, transfer, reason) => {
      const [left, right] = [deposits.entries[deposit], transfers.entries[transfer]]
      if (left === undefined || right === undefined) return
      note(lefts, deposit, { side: "transfer", id: right.id, reason })
      note(rights, transfer, { side: "deposit", id: left.id, reason })
    },
    ofDeposit: (deposit) => lefts.get(deposit) ?? [],
    ofTransfer: (transfer) => rights.get(transfer) ?? []
  }
}
