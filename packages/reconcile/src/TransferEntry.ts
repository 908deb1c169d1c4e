/** Turns the service's universal transfers into entries. */
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Accounts from "./Accounts.ts"
import type * as Entry from "./Entry.ts"
import * as Policy from "./Policy.ts"

interface Options {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
}

/** Returns the end of a transfer that is not the master account; `undefined` between two sub-accounts or two masters. */
const subAccount = (
  { fromAccount, toAccount }: UniversalTransfer.UniversalTransfer,
  accounts: Accounts.Accounts
): string | undefined => {
  const [from, to] = [Accounts.isMaster(accounts, fromAccount), Accounts.isMaster(accounts, toAccount)]
  if (from === to) return undefined
  return from ? toAccount : fromAccount
}

/** Makes the entry. Its id is the `tranId`, its reference the `clientTranId`, and an empty account is the master account. */
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
