/**
 * Defines universal transfers between the master account and its sub-accounts (the exchange's interface description, sections 2.2
 * and 4.2).
 */
import * as Schema from "effect/Schema"
import * as Amount from "./Amount.ts"
import * as Timestamp from "./internal/decoding/Timestamp.ts"

/** The status of a transfer. Known values are suggested and others decode, because the full set is not documented. */
export const Status = Schema.Union([
  Schema.StringForLiteralAutocomplete,
  Schema.Literals(["SUCCESS", "FAILED", "WAIT"])
])
export type Status = typeof Status.Type

/**
 * The type of an account. The interface description shows `FUTURE`, the live service takes `FUTURES`. Both mean the same, and
 * answers may have either.
 */
export const AccountType = Schema.Union([
  Schema.StringForLiteralAutocomplete,
  Schema.Literals(["SPOT", "FUTURES", "FUTURE"])
])
export type AccountType = typeof AccountType.Type

/** One transfer as the service tells it. */
export class UniversalTransfer extends Schema.Opaque<UniversalTransfer>()(
  Schema.Struct({
    tranId: Schema.NonEmptyString,
    fromAccount: Schema.String,
    toAccount: Schema.String,
    clientTranId: Schema.String,
    asset: Schema.NonEmptyString,
    /** Decimal text, exact. */
    amount: Amount.Amount,
    fromAccountType: AccountType,
    toAccountType: AccountType,
    fromSymbol: Schema.String,
    toSymbol: Schema.String,
    status: Status,
    /** Unix ms. */
    timestamp: Timestamp.Timestamp
  }).annotate({ identifier: "UniversalTransfer" })
) {}

/** Returns the identity of a transfer, which is its `tranId`. */
export const identity = (transfer: UniversalTransfer): string => transfer.tranId
