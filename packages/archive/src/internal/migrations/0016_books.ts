/**
 * What the executions of the books came to, entry by entry: all of it can be computed again from the ledger and the runs that it
 * names. An entry that was never open, pending or undetermined has no row.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, strict } = Dialect.of(sql)

  const columns = sql`
    side TEXT NOT NULL,
    id TEXT NOT NULL,
    item TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount TEXT NOT NULL,
    at ${int} NOT NULL,
    account TEXT,
    state TEXT NOT NULL,
    code TEXT NOT NULL,
    outcome TEXT NOT NULL,
    since ${int} NOT NULL,
    execution ${int} NOT NULL`

  yield* sql`CREATE TABLE entry_states (${columns}, PRIMARY KEY (side, id))${strict}`
  yield* sql`CREATE INDEX entry_states_at ON entry_states (at)`
  yield* sql`CREATE INDEX entry_states_item ON entry_states (item)`
  yield* sql`CREATE INDEX entry_states_open ON entry_states (at) WHERE state IN ('open', 'pending', 'undetermined')`
  yield* sql`CREATE TABLE entry_history (${columns}, PRIMARY KEY (side, id, execution))${clustered}`
  yield* sql`CREATE INDEX entry_history_execution ON entry_history (execution)`
})
