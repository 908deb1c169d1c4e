/** A closed period is held against what its entries came to since: they are found by their time. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX entry_history_at ON entry_history (at)`
})
