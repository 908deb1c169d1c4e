/** A number in the table `moves` that only grows, so that it tells that something happened which leaves no other trace. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

interface Row {
  readonly number: number
}

export interface Counter {
  readonly number: Effect.Effect<number, SqlError>
  /** It runs inside the transaction that it counts. */
  readonly raise: Effect.Effect<void, SqlError>
}

/** The rows of the table. */
const ids = { moves: 1, rebuilds: 2 }

export const make = (sql: SqlClient.SqlClient, of: keyof typeof ids): Counter => ({
  number: Effect.map(sql<Row>`SELECT number FROM moves WHERE id = ${ids[of]}`, ([row]) => row?.number ?? 0),
  raise: Effect.asVoid(
    sql`INSERT INTO moves (id, number) VALUES (${ids[of]}, 1) ON CONFLICT (id) DO UPDATE SET number = moves.number + 1`
  )
})
