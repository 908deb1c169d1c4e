/** PostgreSQL gives numbers of 64 bits as such; none of those in our tables is beyond 2^53. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

export const Whole = Schema.Union([
  Schema.Int,
  Schema.BigInt.pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: BigInt })))
])
