/**
 * Entries whose outcomes were decided with a look at each other. What is tied together stays in memory together: a stream
 * lets go of entries only when nothing that they are tied to can still change.
 */
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import type { Ledger } from "../ledger/Ledger.ts"

export interface Ties {
  /** Ties a deposit and a transfer. */
  readonly across: (deposit: number, transfer: number) => void
  /** Ties two entries by number: deposits first, then transfers. */
  readonly nodes: (one: number, other: number) => void
  /** One number for everything that is tied to the entry of that number. */
  readonly of: (node: number) => number
}

export const make = ({ deposits, transfers }: Ledger): Ties => {
  const size = deposits.entries.length
  const { find, join } = DisjointSets.make(size + transfers.entries.length)
  return { across: (deposit, transfer) => join(deposit, size + transfer), nodes: join, of: find }
}
