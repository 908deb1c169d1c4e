/** Entries that were considered for an open entry and not taken, gathered on the way. */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import { item } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"

export interface Doubts {
  /** Doubts on each of the two why it is not paired with the other. */
  readonly between: (deposit: number, transfer: number, reason: string) => void
  /** Doubts it on the deposit only. */
  readonly ofDepositOnly: (deposit: number, transfer: number, reason: string) => void
  /** Doubts it on the transfer only. */
  readonly ofTransferOnly: (deposit: number, transfer: number, reason: string) => void
  readonly of: (side: Entry.Side, index: number) => ReadonlyArray<Outcome.Candidate>
}

export const make = ({ deposits, transfers }: Ledger): Doubts => {
  /** Candidates by id, in the order in which they were noted. */
  type Noted = Map<number, Map<string, Outcome.Candidate>>
  const [lefts, rights]: readonly [Noted, Noted] = [new Map(), new Map()]
  const note = (notes: Noted, index: number, candidate: Outcome.Candidate): void => {
    const known = notes.get(index)
    if (known === undefined) notes.set(index, new Map([[candidate.id, candidate]]))
    else if (!known.has(candidate.id)) known.set(candidate.id, candidate)
  }
  const listed = (notes: Noted, index: number): ReadonlyArray<Outcome.Candidate> =>
    Array.from(notes.get(index)?.values() ?? [])
  const ofDepositOnly: Doubts["ofDepositOnly"] = (deposit, transfer, reason) =>
    note(lefts, deposit, { side: "transfer", id: item(transfers.entries, transfer).id, reason })
  const ofTransferOnly: Doubts["ofTransferOnly"] = (deposit, transfer, reason) =>
    note(rights, transfer, { side: "deposit", id: item(deposits.entries, deposit).id, reason })
  return {
    between: (deposit, transfer, reason) => {
      ofDepositOnly(deposit, transfer, reason)
      ofTransferOnly(deposit, transfer, reason)
    },
    ofDepositOnly,
    ofTransferOnly,
    of: (side, index) => listed(side === "deposit" ? lefts : rights, index)
  }
}
