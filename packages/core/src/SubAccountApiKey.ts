/** Defines API keys of sub-accounts (the exchange's interface description, sections 2.1 and 4.1). */
import * as Schema from "effect/Schema"
import * as Timestamp from "./internal/decoding/Timestamp.ts"

/** The fourteen known permission names; the set is open. */
export const Permission = Schema.Union([
  Schema.StringForLiteralAutocomplete,
  Schema.Literals([
    "SPOT_ACCOUNT_READ",
    "SPOT_ACCOUNT_WRITE",
    "SPOT_DEAL_READ",
    "SPOT_DEAL_WRITE",
    "CONTRACT_ACCOUNT_READ",
    "CONTRACT_ACCOUNT_WRITE",
    "CONTRACT_DEAL_READ",
    "CONTRACT_DEAL_WRITE",
    "SPOT_WITHDRAW_READ",
    "SPOT_WITHDRAW_WRITE",
    "SPOT_TRANSFER_READ",
    "SPOT_TRANSFER_WRITE",
    "SPOT_DEPOSIT_READ",
    "SPOT_DEPOSIT_WRITE"
  ])
])
export type Permission = typeof Permission.Type

/** A key that was made. The service shows the secret this once. */
export class SubAccountApiKey extends Schema.Opaque<SubAccountApiKey>()(
  Schema.Struct({
    subAccount: Schema.String,
    note: Schema.String,
    apiKey: Schema.NonEmptyString,
    secretKey: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "secretKey", disallowEncode: true }),
    permissions: Schema.Array(Permission),
    /** Linked addresses; empty when the service names none. */
    ip: Schema.Array(Schema.String),
    /** Unix ms; absent where the service tells none. */
    createTime: Schema.optionalKey(Timestamp.Timestamp)
  }).annotate({ identifier: "SubAccountApiKey" })
) {}
