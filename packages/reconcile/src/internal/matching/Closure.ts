/** Which entries hang together through candidates of any tier, and whether an entry yet unread could join them. */
import type * as Entry from "../../Entry.ts"
import { at } from "./Column.ts"
import * as DisjointSets from "./DisjointSets.ts"
import * as Held from "./Held.ts"
import type { Ledger } from "./Ledger.ts"
import type { Reading } from "./Reading.ts"
import * as Settled from "./Settled.ts"
import type { Ties } from "./Ties.ts"
import type { Judgement } from "./Timeline.ts"

/** What a reading makes of everything that hangs together. */
export interface Verdict {
  /** The worst that is known about the windows of everything that hangs together with the entry. */
  readonly ofDeposit: (deposit: number) => Judgement
  readonly ofTransfer: (transfer: number) => Judgement
  readonly settled: Settled.Settled
}

export interface Closure extends Verdict {
  /** Notes that the two could have been matched, whatever became of them. */
  readonly join: (deposit: number, transfer: number) => void
  /** The same for amounts that differ: what is taken by an equal amount now may still be released and join them. */
  readonly joinUnlike: (deposit: number, transfer: number) => void
  /** Notes entries that a reference holds: they may be released once more is read. */
  readonly hold: Held.Held["hold"]
  /** The same entries, judged by another reading. */
  readonly under: (reading: Reading) => Verdict
}

const rank = { complete: 0, open: 1, gap: 2 } as const

const complete: Judgement = { state: "complete", missing: undefined }

interface Joined {
  readonly sets: DisjointSets.DisjointSets
  /** By deposit, then by transfer: 1 if it was joined with an amount that differs. */
  readonly unlike: Uint8Array
  readonly held: Held.Held
}

/** Judgements are made when first asked for, after the tiers have noted all their candidates. */
const judge = (ledger: Ledger, { held, sets, unlike }: Joined, reading: Reading): Verdict => {
  const { deposits, transfers } = ledger
  const size = deposits.entries.length
  const total = size + transfers.entries.length

  /** Only what is not complete is kept, by root. */
  type Judgements = Map<number, Judgement>
  const worsen = (judgements: Judgements, node: number, judgement: Judgement): void => {
    if (judgement.state === "complete") return
    const root = sets.find(node)
    const known = judgements.get(root)
    if (known === undefined || rank[judgement.state] > rank[known.state]) judgements.set(root, judgement)
  }

  let equal: Judgements | undefined
  const ofEqual = (node: number): Judgement => {
    if (equal === undefined) {
      equal = new Map()
      for (let index = 0; index < size; index++) {
        if (deposits.eligible[index] === 1) worsen(equal, index, reading.deposit(index))
      }
      for (let index = 0; index < total - size; index++) {
        if (transfers.eligible[index] === 1) worsen(equal, size + index, reading.transfer(index))
      }
      const known = equal
      const nodeOf = (side: Entry.Side, index: number): number => side === "deposit" ? index : size + index
      held.releasable(
        (side, index) => known.get(sets.find(nodeOf(side, index))) ?? complete,
        (side, index, judgement) => worsen(known, nodeOf(side, index), judgement)
      )
    }
    return equal.get(sets.find(node)) ?? complete
  }
  const settled = Settled.make(ledger, {
    deposit: (deposit) => ofEqual(deposit).state === "complete",
    transfer: (transfer) => ofEqual(size + transfer).state === "complete"
  })

  let all: Judgements | undefined
  const of = (node: number): Judgement => {
    if (all === undefined) {
      all = new Map()
      for (let index = 0; index < total; index++) {
        if (at(unlike, index) === 0) continue
        const isQuiet = index < size ? settled.isQuiet("deposit", index) : settled.isQuiet("transfer", index - size)
        if (!isQuiet) worsen(all, index, { state: "open", missing: undefined })
      }
    }
    const judgement = ofEqual(node)
    return judgement.state === "complete" ? all.get(sets.find(node)) ?? complete : judgement
  }
  return { ofDeposit: of, ofTransfer: (transfer) => of(size + transfer), settled }
}

export const make = (ledger: Ledger, reading: Reading, ties: Ties): Closure => {
  const size = ledger.deposits.entries.length
  const total = size + ledger.transfers.entries.length
  const joined: Joined = {
    sets: DisjointSets.make(total),
    unlike: new Uint8Array(total),
    held: Held.make(ledger)
  }
  const join: Closure["join"] = (deposit, transfer) => {
    joined.sets.join(deposit, size + transfer)
    ties.across(deposit, transfer)
  }
  return {
    ...judge(ledger, joined, reading),
    join,
    joinUnlike: (deposit, transfer) => {
      joined.unlike[deposit] = 1
      joined.unlike[size + transfer] = 1
      join(deposit, transfer)
    },
    hold: joined.held.hold,
    under: (other) => judge(ledger, joined, other)
  }
}
