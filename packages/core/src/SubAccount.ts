/**
 * Defines the sub-accounts of a broker. The exchange's interface description does not have their list; public material about the
 * live service does.
 */
import * as Schema from "effect/Schema"
import * as Timestamp from "./internal/decoding/Timestamp.ts"

/** One sub-account as the service lists it. */
export class SubAccount extends Schema.Opaque<SubAccount>()(
  Schema.Struct({
    /** Its name, by which transfers name it. */
    subAccount: Schema.NonEmptyString,
    /** Empty where there is none. */
    note: Schema.String,
    /** When it was made, Unix ms; absent where the service tells no time. */
    timestamp: Schema.optionalKey(Timestamp.Timestamp)
  }).annotate({ identifier: "SubAccount" })
) {}

/** Returns the identity of a sub-account, which is its name. */
export const identity = ({ subAccount }: SubAccount): string => subAccount
