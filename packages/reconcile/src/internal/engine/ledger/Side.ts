/** Describes one side of the ledger: its entries as columns, and their relation to entries of the other side. */
import type * as Entry from "../../../Entry.ts"
import type * as Past from "../../Past.ts"
import * as Window from "./Window.ts"

/** Entries ordered by (at, id). Everything else in the engine names them by position. */
export interface Columns {
  readonly side: Entry.Side
  readonly entries: ReadonlyArray<Entry.Entry>
  readonly at: Float64Array
  /** The number of the alias group: assets that count as equal. */
  readonly group: Int32Array
  /** The number of the class: entries of equal group and equal amount share it, however the amount is written. */
  readonly amountClass: Int32Array
  /** The number of the sub-account, or -1 if it is unknown. */
  readonly account: Int32Array
  /** The number of the reference, or -1 if there is none. */
  readonly reference: Int32Array
  /** The value is 1 while the entry has no outcome. */
  readonly open: Uint8Array
  /** The value is 1 for deposits, and for transfers that are in a flow. */
  readonly inFlow: Uint8Array
  /** The objections of entries whose past speaks against them, by position in ascending order. */
  readonly objections: ReadonlyMap<number, Past.Objection>
  /** The value is 1 if the entry may be matched: it is settled and in a flow, and has no objection. */
  readonly eligible: Uint8Array
  /** The value is 1 for settled transfers that go against a flow. */
  readonly against: Uint8Array
}

/** Entries of both sides by position. */
export interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

/** Names the other side. */
export const opposite = { deposit: "transfer", transfer: "deposit" } as const

export interface Side extends Columns, Window.Windows {
  readonly other: Side
  /** Returns the pair that an entry of this side makes with one of the other. */
  readonly pair: <A>(own: A, other: A) => readonly [deposit: A, transfer: A]
  /** Returns members that are entries of this side only. */
  readonly only: (indices: ReadonlyArray<number>) => Members
  /** Returns members that are this entry only. */
  readonly alone: (index: number) => Members
  /** Returns one number for the entry among those of both sides: deposits first, then transfers. */
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
