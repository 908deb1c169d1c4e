/** Collects entries that were considered for an open entry and not taken. */
import type * as Entry from "../../../Entry.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import { item } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"

export interface Doubts {
  /** Notes each of the two as a candidate of the other, with the reason why they are not paired. */
  readonly between: (deposit: number, transfer: number, because: Because.Note) => void
  /** Notes the transfer as a candidate of the deposit only. */
  readonly ofDepositOnly: (deposit: number, transfer: number, because: Because.Note) => void
  /** Notes the deposit as a candidate of the transfer only. */
  readonly ofTransferOnly: (deposit: number, transfer: number, because: Because.Note) => void
  readonly of: (side: Entry.Side, index: number) => ReadonlyArray<Candidate>
}

export const make = ({ deposits, transfers }: Ledger): Doubts => {
  /** The candidates of each entry by id, in the order in which they were noted. */
  type Noted = Map<number, Map<string, Candidate>>
  const [lefts, rights]: readonly [Noted, Noted] = [new Map(), new Map()]
  const note = (notes: Noted, index: number, candidate: Candidate): void => {
    const known = notes.get(index)
    if (known === undefined) notes.set(index, new Map([[candidate.id, candidate]]))
    else if (!known.has(candidate.id)) known.set(candidate.id, candidate)
  }
  const listed = (notes: Noted, index: number): ReadonlyArray<Candidate> => Array.from(notes.get(index)?.values() ?? [])
  const ofDepositOnly: Doubts["ofDepositOnly"] = (deposit, transfer, because) =>
    note(lefts, deposit, { side: "transfer", id: item(transfers.entries, transfer).id, because })
  const ofTransferOnly: Doubts["ofTransferOnly"] = (deposit, transfer, because) =>
    note(rights, transfer, { side: "deposit", id: item(deposits.entries, deposit).id, because })
  return {
    between: (deposit, transfer, because) => {
      ofDepositOnly(deposit, transfer, because)
      ofTransferOnly(deposit, transfer, because)
    },
    ofDepositOnly,
    ofTransferOnly,
    of: (side, index) => listed(side === "deposit" ? lefts : rights, index)
  }
}
