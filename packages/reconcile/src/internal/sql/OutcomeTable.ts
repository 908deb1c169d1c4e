/** Writes the outcomes of a run into a table, and what is known of the run itself into another beside it. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import type * as Report from "../../Report.ts"
import * as Form from "../report/Form.ts"
import * as OutcomeRow from "./OutcomeRow.ts"

/** One INSERT writes so many rows: few texts of statements have to be prepared, and a database takes far more. */
const ROWS = 128

const identifier = Statement.defaultEscape("\"")

const names = (table: string) => ({ outcomes: identifier(table), runs: identifier(`${table}_runs`) })

/** Returns the statements that make the two tables where they are missing. SQLite and PostgreSQL take the same. */
export const ddl = (table: string): ReadonlyArray<string> => {
  const { outcomes, runs } = names(table)
  const columns = Object.entries(OutcomeRow.columns).map(([name, type]) => `"${name}" ${type}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${outcomes} (
  "run" TEXT NOT NULL,
  ${columns.join(",\n  ")},
  "pass" BIGINT NOT NULL,
  "withdrawn" INTEGER NOT NULL,
  PRIMARY KEY ("run", "id")
)`,
    `CREATE TABLE IF NOT EXISTS ${runs} (
  "run" TEXT NOT NULL PRIMARY KEY,
  "pass" BIGINT NOT NULL,
  "begun_at" BIGINT NOT NULL,
  "finished_at" BIGINT,
  "from_ms" BIGINT,
  "to_ms" BIGINT,
  "clean" INTEGER,
  "summary" TEXT
)`
  ]
}

export interface Pass {
  /**
   * Writes rows in one transaction, with which the run is no longer finished. It gives false, and writes nothing, where a later
   * pass has begun.
   */
  readonly write: (rows: ReadonlyArray<OutcomeRow.OutcomeRow>) => Effect.Effect<boolean, SqlError>
  /**
   * Writes the last rows and the summary, and withdraws what this pass did not tell although it was asked about it, in one
   * transaction. It gives the number of outcomes that were withdrawn, and undefined where a later pass has begun.
   */
  readonly finish: (
    rows: ReadonlyArray<OutcomeRow.OutcomeRow>,
    summary: Report.Summary
  ) => Effect.Effect<number | undefined, SqlError>
}

const encodeSummary = Schema.encodeSync(Schema.fromJsonString(Form.Summary))

/**
 * A connection that is gone is an error and no defect: its transaction cannot be undone from here, which Effect takes for a
 * defect, but the database has undone it.
 */
const lost = (defect: unknown) =>
  isSqlError(defect) && defect.reason._tag === "ConnectionError" ? Effect.fail(defect) : Effect.die(defect)

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

/** Begins a pass of a run: the number of the pass before it, and one. What is known of the run stays until the pass writes. */
export const begin = Effect.fnUntraced(function*(
  client: SqlClient.SqlClient,
  table: string,
  run: string
): Effect.fn.Return<Pass, SqlError> {
  // These names are its own, whatever the client does with those of its owner.
  const sql = client.withoutTransforms()
  const outcomes = sql.literal(names(table).outcomes)
  const runs = sql.literal(names(table).runs)
  const told = sql.literal(
    [...Object.keys(OutcomeRow.columns).filter((name) => name !== "id"), "pass", "withdrawn"]
      .map((name) => `"${name}" = excluded."${name}"`).join(", ")
  )

  const begun = yield* sql<{ pass: string }>`INSERT INTO ${runs} AS known ("run", "pass", "begun_at")
    VALUES (${run}, 1, ${yield* now})
    ON CONFLICT ("run") DO UPDATE SET "pass" = known."pass" + 1, "begun_at" = excluded."begun_at"
    RETURNING CAST("pass" AS TEXT) AS pass`
  const pass = Number(begun[0]?.pass)

  const transaction = <A>(effect: Effect.Effect<A, SqlError>) => Effect.catchDefect(sql.withTransaction(effect), lost)

  /**
   * Takes the turn of this run, which no other pass can take until the transaction ends. The summary of an earlier pass goes with
   * it, because the rows will not be those of that pass any more.
   */
  const isCurrent = Effect.map(
    sql`UPDATE ${runs} SET "finished_at" = NULL, "from_ms" = NULL, "to_ms" = NULL, "clean" = NULL, "summary" = NULL
      WHERE "run" = ${run} AND "pass" = ${pass} RETURNING "run"`,
    (rows) => rows.length > 0
  )

  const insert = (rows: ReadonlyArray<OutcomeRow.OutcomeRow>) =>
    // A statement may not change a row twice.
    Effect.forEach(Arr.chunksOf(Arr.fromIterable(new Map(rows.map((row) => [row.id, row])).values()), ROWS), (some) =>
      sql`INSERT INTO ${outcomes} ${sql.insert(Arr.map(some, (row) => ({ run, ...row, pass, withdrawn: 0 })))}
        ON CONFLICT ("run", "id") DO UPDATE SET ${told}`, { discard: true })

  const withdraw = Effect.fnUntraced(function*(range: Report.Summary["range"]) {
    const within = range === null
      ? sql`1 = 1`
      : sql`("at" IS NULL OR ("until" >= ${range.from} AND "at" < ${range.to}))`
    const others = sql`"run" = ${run} AND "pass" <> ${pass} AND "withdrawn" = 0 AND ${within}`
    const [found] = yield* sql<
      { count: string }
    >`SELECT CAST(COUNT(*) AS TEXT) AS count FROM ${outcomes} WHERE ${others}`
    yield* sql`UPDATE ${outcomes} SET "withdrawn" = 1 WHERE ${others}`
    return Number(found?.count)
  })

  return {
    write: (rows) =>
      transaction(Effect.gen(function*() {
        if (!(yield* isCurrent)) return false
        yield* insert(rows)
        return true
      })),
    finish: (rows, summary) =>
      transaction(Effect.gen(function*() {
        if (!(yield* isCurrent)) return undefined
        yield* insert(rows)
        const withdrawn = yield* withdraw(summary.range)
        yield* sql`UPDATE ${runs} SET "finished_at" = ${yield* now}, "from_ms" = ${summary.range?.from ?? null},
          "to_ms" = ${summary.range?.to ?? null}, "clean" = ${summary.clean ? 1 : 0}, "summary" = ${
          encodeSummary(summary)
        }
          WHERE "run" = ${run}`
        return withdrawn
      }))
  }
})
