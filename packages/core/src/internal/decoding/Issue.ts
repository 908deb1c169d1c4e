/** Tells the first thing that a schema found wrong, as a path and a sentence. */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

export interface Problem {
  /** The path, such as `amount` or `0.tranId`; empty where the whole value is wrong. */
  readonly path: string
  readonly reason: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const segment = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof part === "object" ? part.key : part)

export const all = (error: Schema.SchemaError): ReadonlyArray<Problem> =>
  format(error.issue).issues.map(({ message, path = [] }) => ({ path: path.map(segment).join("."), reason: message }))

export const first = (error: Schema.SchemaError): Problem => all(error)[0] ?? { path: "", reason: "not as expected" }
