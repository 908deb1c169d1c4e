/**
 * Ties entries whose outcomes were decided with a look at each other. Tied entries stay in memory together: a stream lets go
 * of an entry only if none of the entries that it is tied to can still change.
 */
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import type { Ledger } from "../ledger/Ledger.ts"

export interface Ties {
  /** Ties a deposit and a transfer. */
  readonly across: (deposit: number, transfer: number) => void
  /** Ties two entries by number: deposits first, then transfers. */
  readonly nodes: (one: number, other: number) => void
  /** Returns one number for all entries that are tied to this one. */
  readonly of: (node: number) => number
}

export const make = ({ deposits, transfers }: Ledger): Ties => {
  const size = deposits.entries.length
  const { find, join } = DisjointSets.make(size + transfers.entries.length)
  return { across: (deposit, transfer) => join(deposit, size + transfer), nodes: join, of: find }
}
