/**
 * Settles entries of equal amount that cannot be told apart: it is certain how many of them belong together, and not which
 * ones.
 */
import * as Amount from "@tallystick/core/Amount"
import type { Unread } from "../finality/Finality.ts"
import { item } from "../ledger/Column.ts"
import type { Workbench } from "../Workbench.ts"

/** Members in ascending order, and one maximum matching among them. */
export interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
  readonly pairs: ReadonlyArray<readonly [deposit: number, transfer: number]>
}

/** The unread parts of the windows of entries that time paired. An entry in them could release a partner to a class. */
export interface Neighbours {
  readonly deposits: Unread
  readonly transfers: Unread
}

/** Judges the neighbours when they are first asked for, because only classes that are short ask. */
export const neighbours = (
  { finality, ledger }: Workbench,
  pairs: ReadonlyArray<readonly [deposit: number, transfer: number]>
): () => Neighbours => {
  let known: Neighbours | undefined
  return () => {
    known ??= {
      deposits: finality.unread(ledger.deposits.only(pairs.map(([deposit]) => deposit))),
      transfers: finality.unread(ledger.transfers.only(pairs.map(([, transfer]) => transfer)))
    }
    return known
  }
}

/** Settles a class as a whole. */
export const settle = ({ finality, ledger, settle }: Workbench, members: Members, around: () => Neighbours): void => {
  const { deposits, pairs, transfers } = members
  const matchedCount = pairs.length
  const openCount = deposits.length + transfers.length - 2 * matchedCount
  const some = item(ledger.deposits.entries, item(deposits, 0))
  if (openCount === 0) {
    settle({
      code: "class-balanced",
      deposits,
      transfers,
      finality: "closed",
      pairs,
      matchedCount,
      openCount,
      openSum: "0",
      because: { code: "all-have-counterparts" }
    })
    return
  }
  const scale = Amount.scale(some.amount)
  const openDeposits = deposits.length - matchedCount
  const openTransfers = transfers.length - matchedCount
  const facts = {
    deposits,
    transfers,
    matchedCount,
    openCount,
    openSum: Amount.format(Amount.units(some.amount, scale) * BigInt(openCount), scale)
  } as const

  // Each window that is not read to its end may bring one more counterpart, to the class or to a pair that then releases one.
  // Only the entries beyond that number are certainly short of a counterpart.
  const lateDeposits = finality.unread(ledger.deposits.only(deposits))
  const lateTransfers = finality.unread(ledger.transfers.only(transfers))
  const near = around()
  if (
    openDeposits > lateDeposits.count + near.deposits.count ||
    openTransfers > lateTransfers.count + near.transfers.count
  ) {
    settle({
      ...facts,
      code: "class-short",
      finality: "horizon",
      because: { code: "short-of-counterparts", unread: lateDeposits.count + lateTransfers.count }
    })
    return
  }
  const missing = lateDeposits.missing ?? lateTransfers.missing ?? near.deposits.missing ?? near.transfers.missing
  settle({
    ...facts,
    code: missing === undefined ? "in-flight" : "coverage-gap",
    ...(missing === undefined ? {} : { missing }),
    finality: "never",
    because: missing === undefined
      ? { code: "counterparts-may-come", ownWindows: lateDeposits.count + lateTransfers.count > 0 }
      : { code: "counterparts-unread" }
  })
}
