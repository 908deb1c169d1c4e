/**
 * This number counts the transactions that the holder committed, so that it notices a database that went back to an earlier
 * state.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int } = Dialect.of(sql)

  yield* sql`ALTER TABLE holder ADD COLUMN turn ${int} NOT NULL DEFAULT 0`
})
