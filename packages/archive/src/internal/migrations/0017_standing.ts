/**
 * How each day of the archive stood when the books were last carried forward: what has changed since is due. Without a row, a day
 * counts as changed.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int } = Dialect.of(sql)

  yield* sql`CREATE TABLE book_days (
    operation TEXT NOT NULL,
    day ${int} NOT NULL,
    totals TEXT NOT NULL,
    records TEXT NOT NULL,
    coverage TEXT NOT NULL,
    PRIMARY KEY (operation, day)
  )${clustered}`
})
