/** This table keeps which sub-accounts the exchange listed, and when each was first and last seen there. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE sub_accounts (
    name TEXT NOT NULL PRIMARY KEY,
    made_at ${int},
    first_seen ${int} NOT NULL,
    last_seen ${int} NOT NULL,
    missed_at ${int},
    whole_from ${int},
    checksum ${int} NOT NULL
  )${strict}`
  yield* sql`DELETE FROM scopes WHERE operation = 'sub_accounts'`
  yield* sql`INSERT INTO scopes (operation, query, asked, records) VALUES ('sub_accounts', 0, 0, 0)`
})
