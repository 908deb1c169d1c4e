/**
 * This table names the holder of the archive for writing. The lock itself is elsewhere and ends with its process; this table
 * only tells people whose it is.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int } = Dialect.of(sql)

  yield* sql`CREATE TABLE holder (
    purpose TEXT NOT NULL,
    process ${int} NOT NULL,
    host TEXT NOT NULL,
    since ${int} NOT NULL
  )`
})
