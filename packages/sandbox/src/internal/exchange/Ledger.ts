/** Holds the histories of the exchange, and its sub-accounts, in the order in which questions need them. */
import * as AccountType from "@tallystick/core/AccountType"
import type { SubAccount } from "@tallystick/core/SubAccount"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import * as SortedRecords from "./SortedRecords.ts"

interface Route {
  readonly from: string
  readonly to: string
  readonly fromType: string
  readonly toType: string
}

export interface Ledger {
  readonly deposits: SortedRecords.SortedRecords<SubAccountDeposit>
  /** Returns the transfers of one pair of accounts and account types. `FUTURE` and `FUTURES` are one type. */
  readonly transfers: (route: Route) => SortedRecords.SortedRecords<UniversalTransfer>
  /** The sub-accounts by the time at which they were made; undefined where nobody said which there are. */
  readonly subAccounts: SortedRecords.SortedRecords<SubAccount> | undefined
}

const SUB_ACCOUNTS = -1
const DEPOSITS = 0
const NO_ROUTE = 1

export const make = (
  deposits: ReadonlyArray<SubAccountDeposit>,
  transfers: ReadonlyArray<UniversalTransfer>,
  subAccounts: ReadonlyArray<SubAccount> | undefined
): Ledger => {
  const keyOf = (route: Route): string =>
    JSON.stringify([
      route.from,
      route.to,
      AccountType.canonical(route.fromType),
      AccountType.canonical(route.toType)
    ])
  const grouped = Map.groupBy(transfers, (transfer) =>
    keyOf({
      from: transfer.fromAccount,
      to: transfer.toAccount,
      fromType: transfer.fromAccountType,
      toType: transfer.toAccountType
    }))
  const books = new Map(
    Array.from(grouped, ([key, records], i) => [key, SortedRecords.make(records, (t) => t.timestamp, NO_ROUTE + 1 + i)])
  )
  const nothing = SortedRecords.make<UniversalTransfer>([], (t) => t.timestamp, NO_ROUTE)
  return {
    deposits: SortedRecords.make(deposits, (deposit) => deposit.insertTime, DEPOSITS),
    transfers: (route) => books.get(keyOf(route)) ?? nothing,
    subAccounts: subAccounts && SortedRecords.make(subAccounts, ({ timestamp = 0 }) => timestamp, SUB_ACCOUNTS)
  }
}
