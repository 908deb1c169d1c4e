/** Many rows in few statements, whose texts repeat so that they are prepared once. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Value = string | number | null

/** Rows of one statement, so that any number takes few statements of few texts; a database takes far more. */
const SIZES = [250, 50, 10, 1] as const

/** The rows of each statement, in turn. */
const split = <Record>(records: ReadonlyArray<Record>): ReadonlyArray<ReadonlyArray<Record>> => {
  const pieces: Array<ReadonlyArray<Record>> = []
  let from = 0
  for (const size of SIZES) {
    for (; records.length - from >= size; from += size) pieces.push(records.slice(from, from + size))
  }
  return pieces
}

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
  const texts = new Map<number, string>(SIZES.map((size) => [size, text(size)]))
  return (records) =>
    Effect.forEach(split(records), (piece) => {
      const values: Array<Value> = []
      for (const record of piece) push(values, record)
      return sql.unsafe(texts.get(piece.length) ?? text(piece.length), values).raw
    }, { discard: true })
}
