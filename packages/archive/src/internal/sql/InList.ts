/** `column IN (…)` has one text for any number of values, so that its statement is prepared once. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Columns of numbers; those of the others are texts. */
const NUMBERS: ReadonlySet<string> = new Set(["at", "query", "queries.id"])

/** Makes the condition; the values are all of the kind that the column holds. */
export const of = (
  sql: SqlClient.SqlClient,
  column:
    | "asset"
    | "at"
    | "coin"
    | "query"
    | "queries.id"
    | "id"
    | "item"
    | "key"
    | "o.id"
    | "outcome"
    | "subject"
    | "tx_id",
  values: ReadonlyArray<string | number | null>
): Fragment => {
  const list = JSON.stringify(values)
  return sql.onDialectOrElse({
    pg: () =>
      NUMBERS.has(column)
        ? sql`${sql(column)} IN (SELECT value::bigint FROM json_array_elements_text(${list}::text::json))`
        : sql`${sql(column)} IN (SELECT value FROM json_array_elements_text(${list}::text::json))`,
    orElse: () => sql`${sql(column)} IN (SELECT value FROM json_each(${list}))`
  })
}
