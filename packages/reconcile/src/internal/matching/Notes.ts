/** Entries that were considered for an open entry and not taken, gathered on the way. */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import { item } from "./Column.ts"
import type { Ledger } from "./Ledger.ts"

/** Entries that wait for each other. */
export interface Waiting {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

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
  /** The entries that wait for each other, of every time that one of them was noted. */
  readonly waiting: (side: Entry.Side, index: number) => ReadonlyArray<Waiting>
  /** Notes that a candidate of the entry went to another one on weak evidence: it must not be named missing. */
  readonly doubt: (side: Entry.Side, index: number) => void
  readonly isDoubtful: (side: Entry.Side, index: number) => boolean
  readonly ofDeposit: (deposit: number) => ReadonlyArray<Outcome.Candidate>
  readonly ofTransfer: (transfer: number) => ReadonlyArray<Outcome.Candidate>
}

export const make = ({ deposits, transfers }: Ledger): Notes => {
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
  const ofDepositOnly: Notes["ofDepositOnly"] = (deposit, transfer, reason) =>
    note(lefts, deposit, { side: "transfer", id: item(transfers.entries, transfer).id, reason })
  const ofTransferOnly: Notes["ofTransferOnly"] = (deposit, transfer, reason) =>
    note(rights, transfer, { side: "deposit", id: item(deposits.entries, deposit).id, reason })
  const doubtful = { deposit: new Set<number>(), transfer: new Set<number>() }
  const waiting = { deposit: new Map<number, Array<Waiting>>(), transfer: new Map<number, Array<Waiting>>() }
  const wait = (known: Map<number, Array<Waiting>>, index: number, together: Waiting): void => {
    const before = known.get(index)
    if (before === undefined) known.set(index, [together])
    else before.push(together)
  }
  return {
    wait: (left, right) => {
      const together = { deposits: left, transfers: right }
      for (const deposit of left) wait(waiting.deposit, deposit, together)
      for (const transfer of right) wait(waiting.transfer, transfer, together)
    },
    isWaiting: (side, index) => waiting[side].has(index),
    waiting: (side, index) => waiting[side].get(index) ?? [],
    doubt: (side, index) => {
      doubtful[side].add(index)
    },
    isDoubtful: (side, index) => doubtful[side].has(index),
    between: (deposit, transfer, reason) => {
      ofDepositOnly(deposit, transfer, reason)
      ofTransferOnly(deposit, transfer, reason)
    },
    ofDepositOnly,
    ofTransferOnly,
    ofDeposit: (deposit) => listed(lefts, deposit),
    ofTransfer: (transfer) => listed(rights, transfer)
  }
}
