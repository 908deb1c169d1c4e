/** Many rows are inserted by few statements, whose texts repeat so that they are prepared once. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Value } from "./Checksum.ts"

/**
 * A statement inserts one of these numbers of rows, so that any number of rows takes few statements of few texts; a database
 * takes far more.
 */
const SIZES = [250, 50, 10, 1] as const

/** Splits rows into those of each statement, in turn. */
const split = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const pieces: Array<ReadonlyArray<Row>> = []
  let from = 0
  for (const size of SIZES) {
    for (; rows.length - from >= size; from += size) pieces.push(rows.slice(from, from + size))
  }
  return pieces
}

/**
 * Inserts rows, whose values stand in the order of `columns`. Where a `key` is named, a row replaces the row that has the same
 * key.
 */
export const into = (
  sql: SqlClient.SqlClient,
  table: string,
  columns: ReadonlyArray<string>,
  key: ReadonlyArray<string> = []
): (rows: ReadonlyArray<ReadonlyArray<Value>>) => Effect.Effect<void, SqlError> => {
  const placeholder = sql.onDialectOrElse({
    pg: () => (index: number) => `$${index + 1}`,
    orElse: () => () => "?"
  })
  const others = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`)
  const conflict = key.length === 0 ? "" : ` ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${others.join(", ")}`
  const text = (count: number): string => {
    const row = (index: number): string =>
      `(${columns.map((_, column) => placeholder(index * columns.length + column)).join(", ")})`
    return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${
      Array.from({ length: count }, (_, index) => row(index)).join(", ")
    }${conflict}`
  }
  const texts = new Map<number, string>(SIZES.map((size) => [size, text(size)]))
  return (rows) =>
    Effect.forEach(
      split(rows),
      (piece) => {
        const values: Array<Value> = []
        for (const row of piece) for (const value of row) values.push(value)
        return sql.unsafe(texts.get(piece.length) ?? text(piece.length), values).raw
      },
      { discard: true }
    )
}
