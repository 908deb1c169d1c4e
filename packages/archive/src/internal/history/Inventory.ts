/** The inventory counts what is kept of one operation. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as BadRecordTable from "../records/BadRecordTable.ts"
import * as Untimed from "../records/Untimed.ts"
import type { Counts, Extent } from "./History.ts"

/** No time is later than this, Unix ms; a row with a later one is damaged. */
export const LATEST = 8_640_000_000_000_000

/** No response shows one text so many times. */
const MANY = 1_000_000_000

export const extent = (
  sql: SqlClient.SqlClient,
  operation: "deposits" | "transfers"
): Effect.Effect<Extent, SqlError> =>
  Effect.map(
    sql<Extent>`SELECT (SELECT MIN(at) FROM ${
      sql(operation)
    } WHERE at BETWEEN 0 AND ${LATEST}) AS first, (SELECT MAX(at) FROM ${
      sql(operation)
    } WHERE at <= ${LATEST}) AS last`,
    ([row]) => row ?? { first: null, last: null }
  )

const count = (rows: ReadonlyArray<{ readonly count: number }>): number => rows[0]?.count ?? 0

export const counts = (
  sql: SqlClient.SqlClient,
  operation: "deposits" | "transfers"
): Effect.Effect<Counts, SqlError> => {
  const of = (kind: "version" | "conflict", imported: ReadonlyArray<0 | 1>) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT COUNT(*) AS count FROM versions
        WHERE operation = ${operation} AND kind = ${kind} AND ${sql.in("imported", imported)}`,
      count
    )
  const records = sql<{ readonly count: number }>`SELECT COUNT(*) AS count FROM ${sql(operation)}`
  const vanished = sql<{ readonly count: number }>`SELECT COUNT(*) AS count FROM ${
    sql(operation)
  } WHERE vanished_at IS NOT NULL`
  const { note, untold } = BadRecordTable.timed
  const timed = sql<{ readonly count: number }>`SELECT CAST(COALESCE(SUM(
      CASE WHEN occurrences BETWEEN 1 AND ${MANY} THEN occurrences ELSE 1 END
    ), 0) AS BIGINT) AS count FROM bad_records
    WHERE operation = ${operation} AND gone_at IS NULL AND timed NOT IN (${untold}, ${note})`
  // A record without a time has a row for each day to which it may belong.
  const untimed = Effect.map(
    sql<
      Untimed.Row
    >`SELECT query, id, at, until, CASE WHEN occurrences BETWEEN 1 AND ${MANY} THEN occurrences ELSE 1 END AS occurrences
      FROM bad_records WHERE operation = ${operation} AND gone_at IS NULL AND timed = ${untold} ORDER BY at`,
    (rows) => Untimed.fresh(new Map(), rows).rows.reduce((sum, { occurrences }) => sum + occurrences, 0)
  )
  return Effect.all({
    records: Effect.map(records, count),
    versions: of("version", [0]),
    fromFiles: of("version", [1]),
    conflicts: of("conflict", [0, 1]),
    vanished: Effect.map(vanished, count),
    unreadable: Effect.zipWith(Effect.map(timed, count), untimed, (a, b) => a + b)
  })
}
