/** Defines deposits that reached sub-accounts (the exchange's interface description, sections 2.3 and 4.3). */
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.ts"
import * as DepositAddress from "./DepositAddress.ts"
import * as Timestamp from "./internal/decoding/Timestamp.ts"

/** One deposit as the service tells it. It carries no id of its own and does not name the sub-account. */
export class SubAccountDeposit extends Schema.Opaque<SubAccountDeposit>()(
  Schema.Struct({
    /** Decimal text, exact. */
    amount: Amount.Amount,
    coin: Schema.NonEmptyString,
    network: Schema.String,
    /** An open set of codes; see {@link statuses}. */
    status: Schema.Int,
    /** The address. It may carry the memo as a suffix, which {@link arrivedAt} takes off. */
    address: Schema.String,
    /** The transaction. It may carry an output index (`hash:0`), which is part of the identity. */
    txId: Schema.String,
    unlockConfirm: Schema.String,
    confirmTimes: Schema.String,
    /** When the service first saw the deposit, Unix ms: not when it was credited. */
    insertTime: Timestamp.Timestamp,
    memo: Schema.String
  }).annotate({ identifier: "SubAccountDeposit" })
) {}

/** Known status codes; their meaning comes from outside the interface description, and others exist. */
export const statuses: Readonly<Record<number, string>> = {
  1: "SMALL",
  2: "TIME_DELAY",
  3: "LARGE_DELAY",
  4: "PENDING",
  5: "SUCCESS",
  6: "AUDITING",
  7: "REJECTED",
  8: "REFUND",
  9: "PRE_SUCCESS",
  10: "INVALID",
  11: "RESTRICTED",
  12: "COMPLETED"
}

/** Returns the address and the memo, separated. */
export const arrivedAt = (deposit: SubAccountDeposit): DepositAddress.DepositAddress =>
  DepositAddress.make(deposit.address, deposit.memo)

/**
 * Returns the identity of a deposit: two records are the same deposit when their coin, network, txId, address, memo, amount and
 * insertTime are equal, in their one spelling. Status and confirmations may change and do not count.
 */
export const identity = (deposit: SubAccountDeposit): string => {
  const { address, memo } = arrivedAt(deposit)
  return JSON.stringify([
    deposit.coin,
    deposit.network,
    deposit.txId,
    address,
    memo,
    Amount.canonical(deposit.amount),
    deposit.insertTime
  ])
}
