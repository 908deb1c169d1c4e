/** Entries that were considered for an open entry and not taken, gathered on the way. */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import { item } from "./Column.ts"
import type { Ledger } from "./Ledger.ts"

export interface Notes {
  /** Notes on each of the two why it is not paired with the other. */
  readonly between: (deposit: number, transfer: number, reason: string) => void
  /** Notes it on the deposit only. */
  readonly ofDepositOnly: (deposit: number, transfer: number, reason: string) => void
  /** Notes it on the transfer only. */
  readonly ofTransferOnly: (deposit: number, transfer: number, reason: string) => void
  /** Notes that what the entry ends as may change once entries that it hangs together with have been decided. */
  readonly wait: (deposits: ReadonlyArray<number>, transfers: ReadonlyArray<number>) => void
  readonly isWaiting: (side: Entry.Side, index: number) => boolean
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
  const ofDepositOnly: Notes["ofDepositOnly"] = (deposit, transfer, reason) =>
    note(lefts, deposit, { side: "transfer", id: item(transfers.entries, transfer).id, reason })
  const ofTransferOnly: Notes["ofTransferOnly"] = (deposit, transfer, reason) =>
    note(rights, transfer, { side: "deposit", id: item(deposits.entries, deposit).id, reason })
  const waiting = { deposit: new Set<number>(), transfer: new Set<number>() }
  return {
    wait: (left, right) => {
      for (const deposit of left) waiting.deposit.add(deposit)
      for (const transfer of right) waiting.transfer.add(transfer)
    },
    isWaiting: (side, index) => waiting[side].has(index),
    between: (deposit, transfer, reason) => {
      ofDepositOnly(deposit, transfer, reason)
      ofTransferOnly(deposit, transfer, reason)
    },
    ofDepositOnly,
    ofTransferOnly,
    ofDeposit: (deposit) => lefts.get(deposit) ?? [],
    ofTransfer: (transfer) => rights.get(transfer) ?? []
  }
}
