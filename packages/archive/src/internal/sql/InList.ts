/** `column IN (…)` has one text for any number of values, so that its statement is prepared once. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Makes the condition; `values` are all numbers for `at`, all texts for `id` and `tx_id`. */
export const of = (
  sql: SqlClient.SqlClient,
  column: "at" | "id" | "tx_id",
  values: ReadonlyArray<string | number | null>
): Fragment => {
  const list = JSON.stringify(values)
  return sql.onDialectOrElse({
    pg: () =>
      column === "at"
        ? sql`at IN (SELECT value::bigint FROM json_array_elements_text(${list}::text::json))`
        : sql`${sql(column)} IN (SELECT value FROM json_array_elements_text(${list}::text::json))`,
    orElse: () => sql`${sql(column)} IN (SELECT value FROM json_each(${list}))`
  })
}
