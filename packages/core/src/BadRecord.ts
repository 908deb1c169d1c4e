/** A record that could not be read. It never vanishes: it travels beside the good ones, with the text that came. */
import * as Schema from "effect/Schema"

/** What could not be read, where it stood, why, and its raw text. */
export const BadRecord = Schema.Struct({
  /** The side of the books it was meant for. */
  side: Schema.Literals(["deposit", "transfer"]),
  /** Where it stood: `page 3, record 17` or `deposits.ndjson, line 12`. */
  source: Schema.String,
  /** The field that is wrong, as a path (`amount`), or empty when the whole record is. */
  path: Schema.String,
  /** What was wanted and what came. */
  reason: Schema.String,
  /** The record as it came, as JSON or as the line of the file. */
  raw: Schema.String
})
export type BadRecord = typeof BadRecord.Type
