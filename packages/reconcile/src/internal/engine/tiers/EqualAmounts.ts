/**
 * Entries of equal amount that cannot be told apart: how many of them belong together is a fact, which ones is not.
 */
import * as Amount from "@tallystick/core/Amount"
import type { Unread } from "../finality/Finality.ts"
import { item } from "../ledger/Column.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"

/** Members in ascending order, and one maximum matching among them. */
export interface Members {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
  readonly pairs: ReadonlyArray<readonly [deposit: number, transfer: number]>
}

/** What is not read of the windows of entries that time paired, and that could release their partners to a class. */
export interface Neighbours {
  readonly deposits: Unread
  readonly transfers: Unread
}

/** Judged when it is first asked for: only classes that are short ask. */
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
  const counts = `${Words.count(deposits.length, "deposit")} and ${Words.count(transfers.length, "transfer")} of ${
    Words.money(some)
  }`
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
      explanation: `${counts} cannot be told apart, and every one has its counterpart; ` +
        "which belongs to which is shown by convention, first in, first out."
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
  const short = [
    ...(openDeposits > 0 ? [`${Words.count(openDeposits, "deposit")} without a transfer`] : []),
    ...(openTransfers > 0 ? [`${Words.count(openTransfers, "transfer")} without a deposit`] : [])
  ].join(" and ")
  const leaves = `${counts} cannot be told apart: ${Words.count(matchedCount, "pair")} and ${short}`

  // Each window that is still open may bring one counterpart more, to the class itself or to a pair that then releases
  // one; only what exceeds that is certainly short.
  const lateDeposits = finality.unread(ledger.deposits.only(deposits))
  const lateTransfers = finality.unread(ledger.transfers.only(transfers))
  const near = around()
  if (
    openDeposits > lateDeposits.count + near.deposits.count ||
    openTransfers > lateTransfers.count + near.transfers.count
  ) {
    const open = lateDeposits.count + lateTransfers.count
    const proviso = open === 0 ? "" : `; for ${open} of them not everything has been read`
    settle({
      ...facts,
      code: "class-short",
      finality: "horizon",
      explanation: `${leaves}, whichever they are${proviso}.`
    })
    return
  }
  const missing = lateDeposits.missing ?? lateTransfers.missing ?? near.deposits.missing ?? near.transfers.missing
  const isOwn = lateDeposits.count + lateTransfers.count > 0
  settle({
    ...facts,
    code: missing === undefined ? "in-flight" : "coverage-gap",
    ...(missing === undefined ? {} : { missing }),
    finality: "never",
    explanation: missing === undefined
      ? `${leaves} so far; ${
        isOwn ? "their windows" : "the windows of entries that they compete with"
      } are not over yet.`
      : `${leaves} as far as was read; the rest may be among what was not read: ${Words.gap(missing)}.`
  })
}
