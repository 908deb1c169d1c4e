/** Unix milliseconds, as the service writes them. */
import * as Schema from "effect/Schema"

/** The last millisecond that a `DateTime` can hold. */
export const LAST = 8.64e15

/** A whole number of milliseconds from 1970 on, early enough to be a `DateTime`. */
export const Timestamp: Schema.Int = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: LAST }))

export const isTimestamp = Schema.is(Timestamp)
