/**
 * Finds deposits that cannot be called missing, because the list of accounts is wrong: somebody vouches that it names every
 * account, but entries name others, whose transfers do not count.
 */
import type * as Because from "../../explain/Because.ts"
import { at, bucket, firstNotBefore, item } from "../ledger/Column.ts"
import type { Direction } from "../ledger/Direction.ts"
import type { Workbench } from "../Workbench.ts"

type Unlisted = Extract<Because.Because, { readonly code: "account-not-listed" }>

/** Says why a deposit cannot be called missing; it returns nothing if the list is not contradicted. */
export const make = ({ ledger }: Workbench, direction: Direction): (deposit: number) => Unlisted | undefined => {
  const { deposits, groups, transfers } = ledger
  const strangers = bucket(transfers.group, groups, (index) => {
    const entry = item(transfers.entries, index)
    return transfers.inFlow[index] !== 1 && entry.status !== "failed" && direction.isUnvouched(entry)
  })

  /**
   * Finds the first transfer of such an account in the window, of the same asset and of any amount, because it may have moved
   * several deposits.
   */
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
