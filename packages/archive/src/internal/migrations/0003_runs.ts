/**
 * These tables keep runs, the outcomes they came to, and which outcome was seen in which run. An outcome stands once, however
 * many runs come to it. `run_outcomes` lie in the order of runs, so that the rows that a run writes lie together; an outcome is
 * looked up by its id in each run, and an index over all ids would be written all over.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "./Dialect.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, strict } = Dialect.of(sql)
  const numbered = sql.onDialectOrElse({
    sqlite: () => sql.literal("INTEGER"),
    orElse: () => sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY")
  })

  yield* sql`CREATE TABLE runs (
    number ${numbered} PRIMARY KEY,
    id TEXT UNIQUE,
    touched_at ${int} NOT NULL,
    from_ms ${int},
    to_ms ${int},
    clean ${int},
    matched ${int},
    discrepancies ${int},
    pending ${int},
    undetermined ${int},
    set_aside ${int},
    summary TEXT
  )${strict}`

  yield* sql`CREATE TABLE outcomes (
    at ${int} NOT NULL,
    digest TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    code TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (at, digest)
  )${strict}`

  yield* sql`CREATE TABLE run_outcomes (
    run ${int} NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    at ${int} NOT NULL,
    PRIMARY KEY (run, id, digest)
  )${clustered}`
})
