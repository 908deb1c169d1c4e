/** A record that could not be read. It never vanishes: it travels beside the good ones, with the text that came. */
import * as Schema from "effect/Schema"

/** What could not be read, where it stood, why, and its raw text. */
export const BadRecord = Schema.Struct({
  side: Schema.Literals(["deposit", "transfer"]).annotateKey({
    description: "The side of the books it was meant for."
  }),
  source: Schema.String.annotateKey({
    description: "Where it stood: `page 3, record 17` or `deposits.ndjson, line 12`."
  }),
  path: Schema.String.annotateKey({
    description: "The field that is wrong, as a path (`amount`), or empty when the whole record is."
  }),
  reason: Schema.String.annotateKey({ description: "What was wanted and what came." }),
  raw: Schema.String.annotateKey({ description: "The record as it came, as JSON or as the line of the file." })
})
export type BadRecord = typeof BadRecord.Type
