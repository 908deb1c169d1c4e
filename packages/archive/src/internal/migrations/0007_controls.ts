/**
 * Each row gets a checksum, and each stretch of time control totals, so that nobody believes rows that were damaged since. The
 * number of a query follows from its text from now on. Rows that an earlier version wrote are taken as they are now.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ControlTable from "../coverage/ControlTable.ts"
import type * as CoverageRow from "../coverage/CoverageRow.ts"
import * as Queries from "../coverage/Queries.ts"
import * as Weight from "../coverage/Weight.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as Dialect from "./Dialect.ts"

const DAY = 86_400_000

/** About so many rows are read at once, and a stretch has about so many records. */
const BATCH = 4096

/** One statement writes so many rows. */
const TOGETHER = 250

const deposits = [
  "at",
  "id",
  "coin",
  "network",
  "tx_id",
  "address",
  "memo",
  "amount",
  "status",
  "unlock_confirm",
  "confirm_times",
  "query",
  "seen_at",
  "last_seen",
  "imported",
  "vanished_at",
  "history"
]
const transfers = [
  "at",
  "id",
  "from_account",
  "to_account",
  "client_tran_id",
  "asset",
  "amount",
  "from_account_type",
  "to_account_type",
  "from_symbol",
  "to_symbol",
  "status",
  "query",
  "seen_at",
  "last_seen",
  "imported",
  "vanished_at",
  "history"
]

type Fields = Readonly<Record<string, string | number | null>>

const number = (row: Fields, name: string): number => Number(row[name])

const at = (row: Fields): number => number(row, "at")

const dayOf = (time: number): number => Math.floor(time / DAY) * DAY

const weight = (row: Fields): number =>
  Weight.of({
    at: at(row),
    seen_at: number(row, "seen_at"),
    imported: number(row, "imported"),
    history: number(row, "history"),
    checksum: number(row, "checksum")
  })

const checksum = (columns: ReadonlyArray<string>, row: Fields): number => Checksum.of(columns.map((name) => row[name]))

/** An earlier version did not keep the slice of a record that tells no time; a slice was a day unless it was set otherwise. */
const UNTOLD = 7 * DAY

/** Writes a row of a record that tells no time for each day in which it may belong. */
const withDays = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int } = Dialect.of(sql)
  yield* sql`DROP INDEX bad_records_at`
  yield* sql`ALTER TABLE bad_records RENAME TO bad_records_before`
  yield* sql`CREATE TABLE bad_records (
    operation TEXT NOT NULL,
    query ${int} NOT NULL,
    id TEXT NOT NULL,
    at ${int} NOT NULL,
    until ${int} NOT NULL,
    timed ${int} NOT NULL,
    raw TEXT NOT NULL,
    occurrences ${int} NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    seen_at ${int} NOT NULL,
    gone_at ${int},
    PRIMARY KEY (operation, query, id, timed, at)
  )${clustered}`
  yield* sql`CREATE INDEX bad_records_at ON bad_records (operation, at)`
  const rows = yield* sql<Fields>`SELECT * FROM bad_records_before`
  for (const row of rows) {
    const interval = row["timed"] === 0
      ? { from: Math.max(at(row) - UNTOLD, 0), to: at(row) + UNTOLD }
      : { from: at(row), to: at(row) + 1 }
    for (let from = interval.from; from < interval.to; from = dayOf(from) + DAY) {
      const until = Math.min(interval.to, dayOf(from) + DAY)
      yield* sql`INSERT INTO bad_records ${sql.insert({ ...row, at: from, until })}`
    }
  }
  yield* sql`DROP TABLE bad_records_before`
})

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int } = Dialect.of(sql)

  yield* withDays

  yield* sql`CREATE TABLE controls (
    operation TEXT NOT NULL,
    from_ms ${int} NOT NULL,
    records ${int} NOT NULL,
    checksums ${int} NOT NULL,
    claims ${int} NOT NULL,
    PRIMARY KEY (operation, from_ms)
  )${clustered}`
  for (const table of ["deposits", "transfers", "versions", "bad_records", "coverage", "learnt", "stamps"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN checksum ${int} NOT NULL DEFAULT 0`
  }
  /** The table has each query that was asked, so that a lost one is missed, and the number of stamps. */
  yield* sql`CREATE TABLE scopes (
    operation TEXT NOT NULL,
    query ${int} NOT NULL,
    asked ${int} NOT NULL,
    records ${int} NOT NULL,
    PRIMARY KEY (operation, query)
  )${clustered}`
  yield* sql`ALTER TABLE coverage ADD COLUMN last_read ${int} NOT NULL DEFAULT 0`
  yield* sql`DROP INDEX versions_conflicts`
  // The index has the checksum, so that versions are counted and summed without reading them.
  yield* sql`CREATE INDEX versions_at ON versions (operation, at, checksum)`

  const queries = yield* sql<Queries.Text & { readonly id: number }>`SELECT * FROM queries`
  for (const query of queries) {
    yield* sql`INSERT INTO scopes ${
      sql.insert({ operation: "transfers", query: query.id, asked: Queries.numberOf(query), records: 0 })
    }`
  }
  for (
    const [table, column] of [["transfers", "query"], ["bad_records", "query"], ["coverage", "query"], [
      "queries",
      "id"
    ]]
  ) {
    yield* sql`UPDATE ${sql(String(table))} SET ${sql(String(column))} = scopes.asked FROM scopes
      WHERE scopes.operation = 'transfers' AND scopes.query = ${sql(String(table))}.${sql(String(column))}`
  }
  yield* sql`DELETE FROM scopes`

  const add = (operation: string, from: number, records: number, checksums: number) =>
    sql`INSERT INTO controls (operation, from_ms, records, checksums, claims)
      VALUES (${operation}, ${from}, ${records}, ${checksums}, 0)
      ON CONFLICT (operation, from_ms) DO UPDATE SET
        records = controls.records + excluded.records, checksums = controls.checksums + excluded.checksums`

  const update = (table: string, rows: ReadonlyArray<Fields>): Effect.Effect<unknown, SqlError> => {
    const values = sql.csv(
      rows.map((row) =>
        sql`(CAST(${row["at"]} AS BIGINT), CAST(${row["id"]} AS TEXT), CAST(${row["checksum"]} AS BIGINT))`
      )
    )
    return sql`UPDATE ${sql(table)} SET checksum = found.column3 FROM (VALUES ${values}) AS found
      WHERE ${sql(table)}.at = found.column1 AND ${sql(table)}.id = found.column2`
  }

  const records = Effect.fnUntraced(function*(table: string, columns: ReadonlyArray<string>) {
    const list = sql.literal(columns.join(", "))
    let stretch = { from: Number.NEGATIVE_INFINITY, records: 0, checksums: 0 }
    let [time, id, last] = [Number.MIN_SAFE_INTEGER, "", Number.NEGATIVE_INFINITY]
    const flush = () =>
      stretch.records === 0 ? Effect.void : add(table, stretch.from, stretch.records, stretch.checksums)
    for (;;) {
      const rows: ReadonlyArray<Fields> = yield* sql<Fields>`SELECT ${list} FROM ${sql(table)}
        WHERE at > ${time} OR (at = ${time} AND id > ${id}) ORDER BY at, id LIMIT ${BATCH}`
      const found = rows.map((row): Fields => Object.assign({}, row, { checksum: checksum(columns, row) }))
      for (let from = 0; from < found.length; from += TOGETHER) yield* update(table, found.slice(from, from + TOGETHER))
      for (const row of found) {
        const day = dayOf(at(row))
        if (stretch.from < day || (stretch.records >= BATCH && at(row) > last)) {
          yield* flush()
          stretch = { from: stretch.from < day ? day : at(row), records: 0, checksums: 0 }
        }
        last = at(row)
        stretch = { ...stretch, records: stretch.records + 1, checksums: stretch.checksums + weight(row) }
      }
      const end = found.at(-1)
      if (end === undefined) break
      ;[time, id] = [at(end), String(end["id"])]
    }
    yield* flush()
  })
  yield* records("deposits", deposits)
  yield* records("transfers", transfers)

  /**
   * Writes the checksums of a table with few rows and, where these belong to records, counts them in the stretches of their
   * times.
   */
  const others = Effect.fnUntraced(function*(
    table: string,
    key: ReadonlyArray<string>,
    columns: ReadonlyArray<string>,
    isCounted: boolean
  ) {
    const rows = yield* sql<Fields>`SELECT ${sql.literal(columns.join(", "))} FROM ${sql(table)}`
    for (const row of rows) {
      const found = checksum(columns, row)
      yield* sql`UPDATE ${sql(table)} SET checksum = ${found} WHERE ${
        sql.and(key.map((name) => sql`${sql(name)} = ${row[name]}`))
      }`
      if (!isCounted) continue
      const [operation, time] = [String(row["operation"]), at(row)]
      const [stretch] = yield* sql<{ readonly from: number | null }>`SELECT MAX(from_ms) AS "from" FROM controls
        WHERE operation = ${operation} AND from_ms >= ${dayOf(time)} AND from_ms <= ${time}`
      yield* add(operation, stretch?.from ?? dayOf(time), 1, found)
    }
  })
  const version = ["operation", "id", "number", "kind", "at", "content", "seen_at", "last_seen", "imported"]
  yield* others("versions", ["operation", "id", "number"], version, true)
  const bad = [
    "operation",
    "query",
    "id",
    "at",
    "until",
    "timed",
    "raw",
    "occurrences",
    "source",
    "path",
    "reason",
    "seen_at"
  ]
  yield* others("bad_records", ["operation", "query", "id", "timed", "at"], [...bad, "gone_at"], true)
  const part = ["operation", "query", "from_ms", "to_ms", "read_at", "last_read", "state", "gap_code", "gap_detail"]
  yield* others("coverage", ["operation", "query", "from_ms"], [...part, "vouched"], false)
  for (const operation of ["deposits", "transfers"] as const) {
    const rows = yield* sql<CoverageRow.CoverageRow>`SELECT * FROM coverage WHERE operation = ${operation}`
    yield* ControlTable.make(sql).claim(operation, [], rows)
  }
  const learnt = ["operation", "believed", "learnt_at", "agreements", "page_length", "backwards", "forwards"]
  yield* others("learnt", ["operation"], [...learnt, "longest_response", "longest_list"], false)
  yield* others("stamps", ["base_url", "fingerprint"], ["base_url", "fingerprint"], false)
  for (const query of queries.map(Queries.numberOf)) {
    yield* sql`INSERT INTO scopes ${
      sql.insert({ operation: "transfers", query, asked: Queries.toldOf(query), records: 0 })
    }`
  }
  yield* sql`INSERT INTO scopes (operation, query, asked, records) SELECT 'stamps', 0, COALESCE(SUM(checksum), 0), COUNT(*) FROM stamps`
})
