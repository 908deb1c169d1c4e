/**
 * Control totals leave out tables of a few rows, so `scopes` says how many rows each has and what their checksums add up to: a
 * lost row is missed, and a row of an earlier time is noticed.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Checksum from "../sql/Checksum.ts"
import * as Insert from "../sql/Insert.ts"

/**
 * These columns stand behind the columns of each row. A table without rows gives one row in which only `written` and `summed`
 * may be numbers.
 */
export interface Counted {
  readonly checksum: number | null
  /** So many rows were written; null where that was lost. */
  readonly written: number | null
  /** Their checksums added up to this; null where that was lost. */
  readonly summed: number | null
}

interface Found<Row> {
  /** These rows are as they were written. */
  readonly rows: ReadonlyArray<Row>
  /** It is true where there are other rows as well, or not as many as were written. */
  readonly isDamaged: boolean
}

export interface Options {
  readonly table: "stamps" | "learnt" | "sub_accounts"
  /** These are all columns except the checksum. */
  readonly columns: ReadonlyArray<string>
}

export const make = <Row extends Counted>(sql: SqlClient.SqlClient, { columns, table }: Options) => {
  const own = sql`operation = ${table}`
  const names = sql.literal(columns.join(", "))

  /** Reads rows and totals in one statement, so that nothing is written in between. */
  const found: Effect.Effect<Found<Row>, SqlError> = Effect.map(
    sql<Row>`SELECT ${names}, checksum, written, summed
      FROM (SELECT (SELECT records FROM scopes WHERE ${own}) AS written, (SELECT asked FROM scopes WHERE ${own}) AS summed)
        AS counted LEFT JOIN ${sql(table)} ON 1 = 1
      ORDER BY ${names}`,
    (all) => {
      const kept = all.filter(({ checksum }) => checksum !== null)
      const rows = kept.filter((row) => Checksum.of(Object.values(row).slice(0, columns.length)) === row.checksum)
      const sum = rows.reduce((sum, { checksum }) => sum + Number(checksum), 0)
      const isWhole = rows.length === kept.length && rows.length === all[0]?.written && sum === all[0].summed
      return { rows, isDamaged: !isWhole }
    }
  )

  const insert = Insert.into(sql, table, [...columns, "checksum"])

  /** Replaces all rows. It runs inside a transaction. */
  const replace = Effect.fnUntraced(function*(rows: ReadonlyArray<Readonly<Record<string, Checksum.Value>>>) {
    yield* sql`DELETE FROM ${sql(table)}`
    yield* sql`DELETE FROM scopes WHERE ${own}`
    let asked = 0
    const written = rows.map((row) => {
      const values = columns.map((column) => row[column] ?? null)
      const checksum = Checksum.of(values)
      asked += checksum
      return [...values, checksum]
    })
    yield* insert(written)
    yield* sql`INSERT INTO scopes ${sql.insert({ operation: table, query: 0, asked, records: rows.length })}`
  })

  return { found, replace }
}
