/** One side of the ledger: its entries as columns, and how an entry stands to those of the other side. */
import type * as Entry from "../../../Entry.ts"
import type * as Past from "../../Past.ts"
import * as Window from "./Window.ts"

/** Entries ordered by (at, id); everything else in the engine names them by position. */
export interface Columns {
  readonly side: Entry.Side
  readonly entries: ReadonlyArray<Entry.Entry>
  readonly at: Float64Array
  /** The alias group: assets that count as equal. */
  readonly group: Int32Array
  /** Equal group and equal amount: one class, whatever the amount was written like. */
  readonly amountClass: Int32Array
  /** The sub-account, or -1 when unknown. */
  readonly account: Int32Array
  /** The reference, or -1 when there is none. */
  readonly reference: Int32Array
  /** 1 while the entry has no outcome. */
  readonly open: Uint8Array
  /** 1 for deposits, and for transfers that are in a flow. */
  readonly inFlow: Uint8Array
  /** Entries whose past speaks against them, by position in ascending order. */
  readonly objections: ReadonlyMap<number, Past.Objection>
  /** 1 when the entry may be matched: settled, in a flow, and nothing is to be objected. */
  readonly eligible: Uint8Array
  /** 1 for settled transfers that go the way of a flow, but backwards. */
  readonly against: Uint8Array
}

/** Entries of both sides by position. */
export interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

/** The name of the other side. */
export const opposite = { deposit: "transfer", transfer: "deposit" } as const

export interface Side extends Columns, Window.Windows {
  readonly other: Side
  /** The pair that an entry of this side makes with one of the other. */
  readonly pair: <A>(own: A, other: A) => readonly [deposit: A, transfer: A]
  /** Entries of the side as the only members. */
  readonly only: (indices: ReadonlyArray<number>) => Members
  /** The same of one entry. */
  readonly alone: (index: number) => Members
  /** One number for the entry among those of both sides: deposits first, then transfers. */
  readonly node: (index: number) => number
}

/** Joins the columns of the two sides. */
export const join = (
  rules: Window.Rules,
  deposits: Columns,
  transfers: Columns
): { readonly deposits: Side; readonly transfers: Side } => {
  const size = deposits.entries.length
  const sides: { readonly deposits: Side; readonly transfers: Side } = {
    deposits: {
      ...deposits,
      ...Window.ofDeposits(rules, deposits),
      get other() {
        return sides.transfers
      },
      pair: (own, other) => [own, other],
      only: (indices) => ({ deposits: indices, transfers: [] }),
      alone: (index) => ({ deposits: [index], transfers: [] }),
      node: (index) => index
    },
    transfers: {
      ...transfers,
      ...Window.ofTransfers(rules, transfers),
      get other() {
        return sides.deposits
      },
      pair: (own, other) => [other, own],
      only: (indices) => ({ deposits: [], transfers: indices }),
      alone: (index) => ({ deposits: [], transfers: [index] }),
      node: (index) => size + index
    }
  }
  return sides
}
