/**
 * Outcomes that are matched or set aside stand in packs from now on, many in a row and deflated, because nine of ten outcomes
 * are such and say little that differs. Runs that an earlier version recorded stay as they are. A run also tells when a
 * reconciliation last came to it, and when its outcomes were taken away. A recording has a mark of its own, because SQLite gives
 * the number of a run that is gone to the next one. The indexes find what no run comes to any more.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { bytes, clustered, int, strict } = Dialect.of(sql)

  yield* sql`CREATE TABLE packs (
    digest TEXT NOT NULL PRIMARY KEY,
    ids ${bytes} NOT NULL,
    content ${bytes} NOT NULL
  )${strict}`
  yield* sql`CREATE TABLE run_packs (
    run ${int} NOT NULL,
    place ${int} NOT NULL,
    digest TEXT NOT NULL,
    outcomes ${int} NOT NULL,
    PRIMARY KEY (run, place)
  )${clustered}`
  yield* sql`CREATE INDEX run_packs_digest ON run_packs (digest)`
  yield* sql`CREATE INDEX run_outcomes_at ON run_outcomes (at, digest)`
  yield* sql`ALTER TABLE runs ADD COLUMN seen_at ${int}`
  yield* sql`ALTER TABLE runs ADD COLUMN pruned_at ${int}`
  yield* sql`ALTER TABLE runs ADD COLUMN packed_summary ${bytes}`
  yield* sql`ALTER TABLE runs ADD COLUMN recording TEXT`
})
