/** This table keeps how the service answers, as the rounds of sync found it: it has a row for each operation. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE learnt (
    operation TEXT NOT NULL PRIMARY KEY,
    believed ${int} NOT NULL,
    learnt_at ${int} NOT NULL,
    agreements ${int} NOT NULL,
    page_length ${int} NOT NULL,
    backwards ${int} NOT NULL,
    forwards ${int} NOT NULL,
    longest_response ${int} NOT NULL,
    longest_list ${int} NOT NULL
  )${strict}`
})
