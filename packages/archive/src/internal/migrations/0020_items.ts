/**
 * What waits, a row an item, so that a page of a list is read without the others: it follows from where the entries stand, from their
 * outcomes and from the ledger. Ranks and keys are compared byte by byte.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { binary, clustered, int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE items (
    number ${int} NOT NULL PRIMARY KEY,
    key TEXT${binary} NOT NULL UNIQUE,
    id TEXT NOT NULL,
    state TEXT NOT NULL,
    code TEXT${binary} NOT NULL,
    outcome TEXT NOT NULL,
    at ${int} NOT NULL,
    since ${int} NOT NULL,
    execution ${int} NOT NULL,
    deposits ${int} NOT NULL,
    transfers ${int} NOT NULL,
    side TEXT NOT NULL,
    entry TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount TEXT NOT NULL,
    account TEXT${binary} NOT NULL,
    difference_asset TEXT,
    missing TEXT,
    excess TEXT,
    bound TEXT,
    other_asset TEXT,
    other_excess TEXT,
    size_rank TEXT${binary} NOT NULL,
    worth TEXT,
    worth_rank TEXT${binary} NOT NULL,
    decided TEXT NOT NULL,
    decision ${int} NOT NULL
  )${strict}`
  for (const column of ["worth_rank", "size_rank", "at", "since", "account", "code"]) {
    yield* sql`CREATE INDEX ${sql(`items_${column}`)} ON items (${sql(column)}, key)`
  }
  yield* sql`CREATE INDEX items_decided ON items (decided) WHERE decided <> 'none'`
  for (const side of ["deposits", "transfers"]) {
    yield* sql`CREATE INDEX ${sql(`items_${side}`)} ON items (number) WHERE ${sql(side)} > 0`
  }
  yield* sql`CREATE TABLE item_terms (
    item ${int} NOT NULL,
    term TEXT${binary} NOT NULL,
    PRIMARY KEY (item, term)
  )${clustered}`
  yield* sql`CREATE INDEX item_terms_term ON item_terms (term, item)`
  yield* sql`CREATE INDEX entry_states_outcome ON entry_states (outcome)
    WHERE state IN ('open', 'pending', 'undetermined')`
})
