/** The service's deposits as entries. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import type * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Policy from "./Policy.ts"

export interface Options {
  readonly policy: Policy.Resolved
  /** Names the sub-account of an address; the records do not. */
  readonly account?: AddressBook.Lookup
}

/** The digits of the hash that tell deposits of one transaction apart. */
const HASH_DIGITS = 10

/**
 * The id of a deposit is `txId~` and ten characters of its `clientTranId`, with `#2` and so on only among true twins;
 * its reference is the `clientTranId` itself. `deposits` must hold all twins of a deposit that it holds one of, as a
 * slice does.
 */
export const fromDeposits = Effect.fnUntraced(function*(
  deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>,
  { account, policy }: Options
) {
  const references = yield* ClientTranId.clientTranIdsFor(deposits)
  const twins = new Map<string, { readonly id: string; count: number }>()
  return deposits.map((deposit, index): Entry.Entry => {
    const reference = references[index] ?? ""
    const identity = SubAccountDeposit.identity(deposit)
    const first = twins.get(identity)
    if (first === undefined) twins.set(identity, { id: `${deposit.txId}~${reference.slice(-HASH_DIGITS)}`, count: 1 })
    else first.count++
    const { count, id } = twins.get(identity) ?? { id: deposit.txId, count: 1 }
    const { address, memo } = SubAccountDeposit.arrivedAt(deposit)
    const owner = account?.(deposit.address, deposit.memo, deposit.network)
    return {
      side: "deposit",
      id: count === 1 ? id : `${id}#${count}`,
      asset: deposit.coin,
      amount: deposit.amount,
      at: deposit.insertTime,
      status: Policy.statusOf(policy, "deposit", deposit.status),
      ...(owner === undefined ? {} : { account: owner }),
      reference,
      network: deposit.network,
      address,
      memo,
      record: deposit
    }
  })
})
