/** Turns the service's deposits into entries. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import type * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Policy from "./Policy.ts"

interface Options {
  readonly policy: Policy.Resolved
  /** Names the sub-account of an address, which the records do not name. */
  readonly account?: AddressBook.Lookup
}

/** The number of digits of the hash that tell deposits of one transaction apart. */
const HASH_DIGITS = 10

/** The identity of a deposit. */
export interface Identity {
  /** Its `clientTranId`. */
  readonly reference: string
  /** The `clientTranId` of the first of its true twins, which is mostly its own. */
  readonly first: string
  /** Its number among its true twins; the first is 1. */
  readonly ordinal: number
}

/**
 * The id of a deposit is `txId~` and ten characters of its `clientTranId`, with `#2` and so on only among true twins;
 * its reference is the `clientTranId` itself.
 */
export const make = (
  deposit: SubAccountDeposit.SubAccountDeposit,
  { first, ordinal, reference }: Identity,
  { account, policy }: Options
): Entry.Entry => {
  const id = `${deposit.txId}~${first.slice(-HASH_DIGITS)}`
  const { address, memo } = SubAccountDeposit.arrivedAt(deposit)
  const owner = account?.(deposit.address, deposit.memo, deposit.network)
  return {
    side: "deposit",
    id: ordinal === 1 ? id : `${id}#${ordinal}`,
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
}

/** Makes the entries. `deposits` must hold all twins of each deposit, as a slice does; twins are numbered in their order. */
export const fromDeposits = Effect.fnUntraced(function*(
  deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>,
  options: Options
) {
  const references = yield* ClientTranId.clientTranIdsFor(deposits)
  const twins = new Map<string, { readonly first: string; ordinal: number }>()
  return deposits.map((deposit, index): Entry.Entry => {
    const reference = references[index] ?? ""
    const identity = SubAccountDeposit.identity(deposit)
    const twin = twins.get(identity) ?? { first: reference, ordinal: 0 }
    twin.ordinal++
    twins.set(identity, twin)
    return make(deposit, { reference, ...twin }, options)
  })
})
