/** The service's universal transfers as entries. */
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Accounts from "./Accounts.ts"
import type * as Entry from "./Entry.ts"
import * as Policy from "./Policy.ts"

interface Options {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
}

/** The end of a transfer that is not the master account; none between two sub-accounts or two masters. */
const subAccount = (
  { fromAccount, toAccount }: UniversalTransfer.UniversalTransfer,
  accounts: Accounts.Accounts
): string | undefined => {
  const [from, to] = [Accounts.isMaster(accounts, fromAccount), Accounts.isMaster(accounts, toAccount)]
  if (from === to) return undefined
  return from ? toAccount : fromAccount
}

/** The id of a transfer is its `tranId`, its reference its `clientTranId`; an empty account is the master. */
export const fromTransfer = (
  transfer: UniversalTransfer.UniversalTransfer,
  { accounts, policy }: Options
): Entry.Entry => {
  const account = subAccount(transfer, accounts)
  return {
    side: "transfer",
    id: transfer.tranId,
    asset: transfer.asset,
    amount: transfer.amount,
    at: transfer.timestamp,
    status: Policy.statusOf(policy, "transfer", transfer.status),
    ...(account === undefined ? {} : { account }),
    ...(transfer.clientTranId === "" ? {} : { reference: transfer.clientTranId }),
    from: transfer.fromAccount,
    to: transfer.toAccount,
    fromType: transfer.fromAccountType,
    toType: transfer.toAccountType,
    record: transfer
  }
}
