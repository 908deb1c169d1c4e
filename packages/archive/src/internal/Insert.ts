/** Many rows in few statements, whose texts repeat so that they are prepared once. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Value = string | number | null

/** Rows of one statement: far below what a database takes. */
const ROWS = 100

/** Inserts rows whose values stand in the order of `columns`. */
export const into = (
  sql: SqlClient.SqlClient,
  table: string,
  columns: ReadonlyArray<string>
): (rows: ReadonlyArray<ReadonlyArray<Value>>) => Effect.Effect<void, SqlError> => {
  const placeholder = sql.onDialectOrElse({
    pg: () => (index: number) => `$${index + 1}`,
    orElse: () => () => "?"
  })
  const text = (count: number): string => {
    const row = (index: number): string =>
      `(${columns.map((_, column) => placeholder(index * columns.length + column)).join(", ")})`
    return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${
      Array.from({ length: count }, (_, index) => row(index)).join(", ")
    }`
  }
  const full = text(ROWS)
  return (rows) =>
    Effect.forEach(
      Arr.chunksOf(rows, ROWS),
      (chunk) => sql.unsafe(chunk.length === ROWS ? full : text(chunk.length), chunk.flat()),
      { discard: true }
    )
}
