/**
 * The ledger is a chain: each row holds the exact text of what was written, and its id is the SHA-256 of that text, which names
 * the id of the row before. All other columns are derived from the text. `ledger_entries` finds what was said of an entry:
 * `record` is the name under which the archive keeps it, a transfer's id or a deposit's transaction.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE ledger (
    number ${int} NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    previous TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    revokes ${int} UNIQUE,
    body TEXT NOT NULL
  )${strict}`
  yield* sql`CREATE TABLE ledger_entries (
    side TEXT NOT NULL,
    record TEXT NOT NULL,
    id TEXT NOT NULL,
    number ${int} NOT NULL,
    PRIMARY KEY (side, record, id, number)
  )${clustered}`
})
