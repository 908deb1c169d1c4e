/** Deposits are found by their transaction: links by hand name them, however old they are. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX deposits_tx_id ON deposits (tx_id)`
})
