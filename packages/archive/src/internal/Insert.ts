/** Many rows in few statements, whose texts repeat so that they are prepared once. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Value = string | number | null

/** Rows of one statement: far below what a database takes. */
const ROWS = 100

/** Inserts a row for each of `records`; `push` adds its values, in the order of `columns`. */
export const into = <Record>(
  sql: SqlClient.SqlClient,
  table: string,
  columns: ReadonlyArray<string>,
  push: (values: Array<Value>, record: Record) => void
): (records: ReadonlyArray<Record>) => Effect.Effect<void, SqlError> => {
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
  return (records) =>
    Effect.forEach(Arr.chunksOf(records, ROWS), (chunk) => {
      const values: Array<Value> = []
      for (const record of chunk) push(values, record)
      return sql.unsafe(chunk.length === ROWS ? full : text(chunk.length), values)
    }, { discard: true })
}
