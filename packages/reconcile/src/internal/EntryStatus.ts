/** What a source says of a movement, reduced to what matters. */
import * as Schema from "effect/Schema"

/** Only `settled` entries take part in matching. */
export const EntryStatus = Schema.Literals(["settled", "pending", "failed", "unknown"])
export type EntryStatus = typeof EntryStatus.Type
