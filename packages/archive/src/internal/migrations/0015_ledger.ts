/**
 * The ledger is a chain: each row holds the exact text of what was written, and its id is the SHA-256 of that text, which names
 * the number of the row and the id of the row before. Nothing else is kept of a decision, so that nothing can contradict its text.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE ledger (
    number ${int} NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    previous TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  )${strict}`
})
