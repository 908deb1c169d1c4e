/** Tables as they are now; running what it gives puts all of them back. */
import * as Effect from "effect/Effect"
import { Database } from "../../src/internal/Database.ts"

export const copy = Effect.fnUntraced(function*(...tables: ReadonlyArray<string>) {
  const { sql } = yield* Database
  const copies = yield* Effect.forEach(
    tables,
    (table) => Effect.map(sql`SELECT * FROM ${sql(table)}`, (rows) => ({ table, rows }))
  )
  return Effect.forEach(
    copies,
    Effect.fnUntraced(function*({ rows, table }) {
      yield* sql`DELETE FROM ${sql(table)}`
      for (const row of rows) yield* sql`INSERT INTO ${sql(table)} ${sql.insert({ ...row })}`
    }),
    { discard: true }
  )
})
