/** The status of a movement, as the policy maps the words of its source. */
import * as Schema from "effect/Schema"

/** Only `settled` entries take part in matching. */
export const EntryStatus = Schema.Literals(["settled", "pending", "failed", "unknown"])
export type EntryStatus = typeof EntryStatus.Type
