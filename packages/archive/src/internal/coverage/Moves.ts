/**
 * This number grows whenever a record moves to another time, or damaged rows are taken out and their time is no longer
 * complete. What was read piece by piece is of one state only while the number stays: a record that moved from a piece that was
 * still to be read to one that was read before would be in neither.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

interface Row {
  readonly number: number
}

export interface Moves {
  readonly number: Effect.Effect<number, SqlError>
  /** It runs inside the transaction that moves something. */
  readonly raise: Effect.Effect<void, SqlError>
}

/** The table has this row alone. */
const ID = 1

export const make = (sql: SqlClient.SqlClient): Moves => ({
  number: Effect.map(sql<Row>`SELECT number FROM moves WHERE id = ${ID}`, ([row]) => row?.number ?? 0),
  raise: Effect.asVoid(
    sql`INSERT INTO moves (id, number) VALUES (${ID}, 1) ON CONFLICT (id) DO UPDATE SET number = moves.number + 1`
  )
})
