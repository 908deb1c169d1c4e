/** The first thing that a schema found wrong, as a path and a sentence. */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

export interface Problem {
  /** `amount`, `0.tranId`, or empty for the whole. */
  readonly path: string
  readonly reason: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const segment = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof part === "object" ? part.key : part)

export const all = (error: Schema.SchemaError): ReadonlyArray<Problem> =>
  format(error.issue).issues.map(({ message, path = [] }) => ({ path: path.map(segment).join("."), reason: message }))

export const first = (error: Schema.SchemaError): Problem => all(error)[0] ?? { path: "", reason: "not as expected" }
