/**
 * An outbox: notices are written in the transaction that makes them true, and sent afterwards. A destination is kept as a hash,
 * because its address may be a secret. A mark says what a destination was told last, so that nothing is told twice after its row is gone.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE notices (
    number ${int} NOT NULL PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    destination TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    made_at ${int} NOT NULL,
    tries ${int} NOT NULL,
    next_at ${int} NOT NULL,
    sent_at ${int}
  )${strict}`
  yield* sql`CREATE INDEX notices_unsent ON notices (destination, number) WHERE sent_at IS NULL`
  yield* sql`CREATE TABLE notice_marks (
    destination TEXT NOT NULL,
    subject TEXT NOT NULL,
    episode ${int} NOT NULL,
    told_at ${int} NOT NULL,
    PRIMARY KEY (destination, subject)
  )${clustered}`
})
