/** Which entries hang together through candidates of any tier, and whether an entry yet unread could join them. */
import * as DisjointSets from "./DisjointSets.ts"
import type { Ledger } from "./Ledger.ts"
import type { Reading } from "./Reading.ts"
import type { Judgement } from "./Timeline.ts"

export interface Closure {
  /** Notes that the two could have been matched, whatever became of them. */
  readonly join: (deposit: number, transfer: number) => void
  /** The worst that is known about the windows of everything that hangs together with the entry. */
  readonly ofDeposit: (deposit: number) => Judgement
  readonly ofTransfer: (transfer: number) => Judgement
}

const rank = { complete: 0, open: 1, gap: 2 } as const

/** Judgements are made when first asked for, after the tiers have noted all their candidates. */
export const make = (ledger: Ledger, reading: Reading): Closure => {
  const size = ledger.deposits.entries.length
  const total = size + ledger.transfers.entries.length
  const sets = DisjointSets.make(total)
  let worst: Map<number, Judgement> | undefined

  /** Only what is not complete is kept. */
  const judged = (): Map<number, Judgement> => {
    const judgements = new Map<number, Judgement>()
    for (let node = 0; node < total; node++) {
      const side = node < size ? ledger.deposits : ledger.transfers
      const index = node < size ? node : node - size
      if (side.eligible[index] !== 1) continue
      const judgement = node < size ? reading.deposit(index) : reading.transfer(index)
      if (judgement.state === "complete") continue
      const root = sets.find(node)
      const known = judgements.get(root)
      if (known === undefined || rank[judgement.state] > rank[known.state]) judgements.set(root, judgement)
    }
    return judgements
  }
  const complete: Judgement = { state: "complete", missing: undefined }
  const of = (node: number): Judgement => {
    worst ??= judged()
    return worst.get(sets.find(node)) ?? complete
  }
  return {
    join: (deposit, transfer) => sets.join(deposit, size + transfer),
    ofDeposit: of,
    ofTransfer: (transfer) => of(size + transfer)
  }
}
