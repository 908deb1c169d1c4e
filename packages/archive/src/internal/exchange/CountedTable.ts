/**
 * Tables of a few rows that control totals leave out: `scopes` says how many there are and the sum of their checksums, so that a
 * lost one is missed, and one of an earlier time is known.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Checksum from "../sql/Checksum.ts"

/** What stands behind the columns of each row; a table without rows gives one in which only `written` and `summed` may be numbers. */
export interface Counted {
  readonly checksum: number | null
  /** How many rows were written; null where that was lost. */
  readonly written: number | null
  /** The sum of their checksums; null where that was lost. */
  readonly summed: number | null
}

interface Found<Row> {
  /** Those that are as they were written. */
  readonly rows: ReadonlyArray<Row>
  /** Whether there were others, or as many as were written are not there. */
  readonly isDamaged: boolean
}

export interface Options {
  readonly table: "stamps" | "learnt"
  /** All but the checksum. */
  readonly columns: ReadonlyArray<string>
}

export const make = <Row extends Counted>(sql: SqlClient.SqlClient, { columns, table }: Options) => {
  const own = sql`operation = ${table}`
  const names = sql.literal(columns.join(", "))

  /** In one statement, so that nothing is written in between. */
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

  /** Takes the place of all. Inside a transaction. */
  const replace = Effect.fnUntraced(function*(rows: ReadonlyArray<Readonly<Record<string, Checksum.Value>>>) {
    yield* sql`DELETE FROM ${sql(table)}`
    yield* sql`DELETE FROM scopes WHERE ${own}`
    let asked = 0
    for (const row of rows) {
      const checksum = Checksum.of(columns.map((column) => row[column]))
      asked += checksum
      yield* sql`INSERT INTO ${sql(table)} ${sql.insert({ ...row, checksum })}`
    }
    yield* sql`INSERT INTO scopes ${sql.insert({ operation: table, query: 0, asked, records: rows.length })}`
  })

  return { found, replace }
}
