/**
 * Defines API keys of sub-accounts as the service lists them, without their secrets. The exchange's interface description does
 * not have this list; public material about the live service does.
 */
import * as Schema from "effect/Schema"
import * as Timestamp from "./internal/decoding/Timestamp.ts"
import { Permission } from "./SubAccountApiKey.ts"

/** A key that exists. Nobody can get its secret again. */
export class ListedApiKey extends Schema.Opaque<ListedApiKey>()(
  Schema.Struct({
    subAccount: Schema.String,
    /** The note that it was made with. Nothing keeps two keys from having the same. */
    note: Schema.String,
    apiKey: Schema.NonEmptyString,
    permissions: Schema.Array(Permission),
    /** Linked addresses; empty when the service names none. */
    ip: Schema.Array(Schema.String),
    /** Unix ms; absent where the service tells none. */
    createTime: Schema.optionalKey(Timestamp.Timestamp)
  }).annotate({ identifier: "ListedApiKey" })
) {}
