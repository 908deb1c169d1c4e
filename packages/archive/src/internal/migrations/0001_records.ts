/** These tables keep records with every version of them, coverage, and the owners of the records. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

// Amounts are exact decimal text, times Unix ms. Records of one operation lie in order of time (SQLite: in the primary key's
// own tree), so that a day is read as one piece however many years are kept.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE stamps (
    base_url TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (base_url, fingerprint)
  )${strict}`

  yield* sql`CREATE TABLE queries (
    id ${int} NOT NULL PRIMARY KEY,
    from_account TEXT,
    to_account TEXT,
    from_account_type TEXT NOT NULL,
    to_account_type TEXT NOT NULL
  )${strict}`

  yield* sql`CREATE TABLE deposits (
    at ${int} NOT NULL,
    id TEXT NOT NULL,
    coin TEXT NOT NULL,
    network TEXT NOT NULL,
    tx_id TEXT NOT NULL,
    address TEXT NOT NULL,
    memo TEXT NOT NULL,
    amount TEXT NOT NULL,
    status ${int} NOT NULL,
    unlock_confirm TEXT NOT NULL,
    confirm_times TEXT NOT NULL,
    query ${int} NOT NULL,
    seen_at ${int} NOT NULL,
    imported ${int} NOT NULL,
    vanished_at ${int},
    history ${int} NOT NULL,
    PRIMARY KEY (at, id)
  )${clustered}`

  yield* sql`CREATE TABLE transfers (
    at ${int} NOT NULL,
    id TEXT NOT NULL,
    from_account TEXT NOT NULL,
    to_account TEXT NOT NULL,
    client_tran_id TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount TEXT NOT NULL,
    from_account_type TEXT NOT NULL,
    to_account_type TEXT NOT NULL,
    from_symbol TEXT NOT NULL,
    to_symbol TEXT NOT NULL,
    status TEXT NOT NULL,
    query ${int} NOT NULL,
    seen_at ${int} NOT NULL,
    imported ${int} NOT NULL,
    vanished_at ${int},
    history ${int} NOT NULL,
    PRIMARY KEY (at, id)
  )${clustered}`
  yield* sql`CREATE UNIQUE INDEX transfers_id ON transfers (id)`
  yield* sql`CREATE INDEX deposits_vanished ON deposits (vanished_at) WHERE vanished_at IS NOT NULL`
  yield* sql`CREATE INDEX transfers_vanished ON transfers (vanished_at) WHERE vanished_at IS NOT NULL`

  yield* sql`CREATE TABLE versions (
    operation TEXT NOT NULL,
    id TEXT NOT NULL,
    number ${int} NOT NULL,
    kind TEXT NOT NULL,
    at ${int} NOT NULL,
    content TEXT NOT NULL,
    seen_at ${int} NOT NULL,
    imported ${int} NOT NULL,
    PRIMARY KEY (operation, id, number)
  )${clustered}`

  yield* sql`CREATE INDEX versions_conflicts ON versions (operation, at) WHERE kind = 'conflict'`

  yield* sql`CREATE TABLE bad_records (
    operation TEXT NOT NULL,
    query ${int} NOT NULL,
    id TEXT NOT NULL,
    at ${int} NOT NULL,
    timed ${int} NOT NULL,
    raw TEXT NOT NULL,
    occurrences ${int} NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    seen_at ${int} NOT NULL,
    gone_at ${int},
    PRIMARY KEY (operation, query, id)
  )${clustered}`
  yield* sql`CREATE INDEX bad_records_at ON bad_records (operation, at)`

  yield* sql`CREATE TABLE coverage (
    operation TEXT NOT NULL,
    query ${int} NOT NULL,
    from_ms ${int} NOT NULL,
    to_ms ${int} NOT NULL,
    read_at ${int} NOT NULL,
    state TEXT NOT NULL,
    gap_code TEXT,
    gap_detail TEXT,
    vouched ${int} NOT NULL,
    PRIMARY KEY (operation, query, from_ms)
  )${clustered}`
})
