/** Tables as they are now; running what it gives puts all of them back. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { Database } from "../../src/internal/sql/Database.ts"

const restore = Effect.fnUntraced(
  function*(sql: SqlClient.SqlClient, table: string, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) {
    yield* sql`DELETE FROM ${sql(table)}`
    for (const row of rows) yield* sql`INSERT INTO ${sql(table)} ${sql.insert({ ...row })}`
  }
)

export const copy = (...tables: ReadonlyArray<string>) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      Effect.forEach(tables, (table) =>
        Effect.map(sql<Record<string, unknown>>`SELECT * FROM ${sql(table)}`, (rows) => restore(sql, table, rows))),
      (copies) =>
        Effect.all(copies, { discard: true })
    ))
