/** A value as one line of JSON, as the formats of reports write it. */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SafeJson from "../text/SafeJson.ts"

/** Returns the schema of the text. A source's own record that JSON cannot hold is written as text. */
export const of = <S extends Schema.Constraint>(schema: S) =>
  Schema.String.annotate({ contentMediaType: "application/json" }).pipe(
    Schema.decodeTo(schema, {
      decode: SchemaGetter.parseJson(),
      encode: SchemaGetter.transform((value: unknown) => SafeJson.stringify(value))
    })
  )
