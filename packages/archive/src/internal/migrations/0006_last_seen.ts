/** This column keeps when a content whose status may still change was shown for the last time. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int } = Dialect.of(sql)
  for (const table of ["deposits", "transfers", "versions"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN last_seen ${int}`
  }
})
