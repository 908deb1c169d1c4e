/**
 * Deposits of which nobody can say that they were not moved, because the list of accounts is wrong: somebody vouches that it
 * names every account, and the entries name others, whose transfers count for nothing.
 */
import { at, bucket, firstNotBefore, item } from "../ledger/Column.ts"
import type { Direction } from "../ledger/Direction.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"

const LACKING = "which the list of accounts lacks that is vouched to name all"

/** Why, as the rest of a sentence; nothing where the list stands. */
export const make = ({ ledger }: Workbench, direction: Direction): (deposit: number) => string | undefined => {
  const { deposits, groups, transfers } = ledger
  const strangers = bucket(transfers.group, groups, (index) => {
    const entry = item(transfers.entries, index)
    return transfers.inFlow[index] !== 1 && entry.status !== "failed" && direction.isUnvouched(entry)
  })

  /** The first such transfer of the same asset in the window, of whatever amount: it may have moved several deposits. */
  const stranger = (deposit: number): number | undefined => {
    const [from, to] = deposits.windowOf(deposit)
    const near = strangers.of(at(deposits.group, deposit))
    const first = near[firstNotBefore(transfers.at, near, from)]
    return first !== undefined && at(transfers.at, first) <= to ? first : undefined
  }

  return (deposit) => {
    const account = at(deposits.account, deposit)
    if (account >= 0) {
      const name = item(ledger.accounts, account)
      return direction.isUnlisted(name) ? `it is of account ${name}, ${LACKING}` : undefined
    }
    const index = stranger(deposit)
    if (index === undefined) return undefined
    const transfer = item(transfers.entries, index)
    return `transfer ${transfer.id} of ${Words.money(transfer)} in its window is of account ${
      direction.accountOf(transfer) ?? ""
    }, ${LACKING}`
  }
}
