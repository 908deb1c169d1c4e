/**
 * Deposits of which nobody can say that they were not moved, because the list of accounts is wrong: somebody vouches that it
 * names every account, and the entries name others, whose transfers count for nothing.
 */
import type * as Because from "../../explain/Because.ts"
import { at, bucket, firstNotBefore, item } from "../ledger/Column.ts"
import type { Direction } from "../ledger/Direction.ts"
import type { Workbench } from "../Workbench.ts"

type Unlisted = Extract<Because.Because, { readonly code: "account-not-listed" }>

/** Why; nothing where the list stands. */
export const make = ({ ledger }: Workbench, direction: Direction): (deposit: number) => Unlisted | undefined => {
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
      return direction.isUnlisted(name) ? { code: "account-not-listed", account: name } : undefined
    }
    const index = stranger(deposit)
    if (index === undefined) return undefined
    const transfer = item(transfers.entries, index)
    return {
      code: "account-not-listed",
      account: direction.accountOf(transfer) ?? "",
      transfer: { id: transfer.id, amount: transfer.amount, asset: transfer.asset }
    }
  }
}
