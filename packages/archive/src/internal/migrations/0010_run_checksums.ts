/**
 * Each run and each outcome gets a checksum, and each run the number of its outcomes with the sum of their checksums, so that
 * nobody believes rows that were damaged since. Rows that an earlier version wrote are taken as they are now, except for the
 * number of outcomes, which the run itself tells.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Checksum from "../sql/Checksum.ts"
import * as Dialect from "./Dialect.ts"

/** So many rows are read at once. */
const BATCH = 4096

/** One statement writes so many rows. */
const TOGETHER = 250

interface OutcomeRow {
  readonly at: number
  readonly digest: string
}

interface RunRow {
  readonly number: number
  readonly outcomes: number
  readonly summary: string
}

interface SeenRow {
  readonly id: string
  readonly digest: string
  readonly at: number
}

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { int } = Dialect.of(sql)

  yield* sql`ALTER TABLE outcomes ADD COLUMN checksum ${int} NOT NULL DEFAULT 0`
  for (const column of ["outcomes", "checksums", "summary_checksum", "checksum"]) {
    yield* sql`ALTER TABLE runs ADD COLUMN ${sql(column)} ${int}`
  }

  let after: OutcomeRow = { at: Number.MIN_SAFE_INTEGER, digest: "" }
  for (;;) {
    const rows: ReadonlyArray<OutcomeRow> = yield* sql<
      OutcomeRow
    >`SELECT at, digest, id, kind, code, content FROM outcomes
      WHERE at > ${after.at} OR (at = ${after.at} AND digest > ${after.digest}) ORDER BY at, digest LIMIT ${BATCH}`
    for (let from = 0; from < rows.length; from += TOGETHER) {
      const values = sql.csv(
        rows.slice(from, from + TOGETHER).map((row) =>
          sql`(CAST(${row.at} AS BIGINT), CAST(${row.digest} AS TEXT), CAST(${
            Checksum.of(Object.values(row))
          } AS BIGINT))`
        )
      )
      yield* sql`UPDATE outcomes SET checksum = found.column3 FROM (VALUES ${values}) AS found
        WHERE outcomes.at = found.column1 AND outcomes.digest = found.column2`
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last
  }

  const sum = Effect.fnUntraced(function*(run: number) {
    let [checksums, id, digest] = [0, "", ""]
    for (;;) {
      const rows: ReadonlyArray<SeenRow> = yield* sql<SeenRow>`SELECT id, digest, at FROM run_outcomes
        WHERE run = ${run} AND (id > ${id} OR (id = ${id} AND digest > ${digest})) ORDER BY id, digest LIMIT ${BATCH}`
      for (const row of rows) checksums = (checksums + Checksum.of([row.id, row.digest, row.at])) >>> 0
      const last = rows.at(-1)
      if (last === undefined) return checksums
      ;[id, digest] = [last.id, last.digest]
    }
  })

  const numbers = yield* sql<{ readonly number: number }>`SELECT number FROM runs WHERE id IS NOT NULL`
  for (const { number } of numbers) {
    const [run] = yield* sql<
      RunRow
    >`SELECT number, id, touched_at, from_ms, to_ms, clean, matched, discrepancies, pending,
        undetermined, set_aside, matched + discrepancies + pending + undetermined + set_aside AS outcomes, summary
      FROM runs WHERE number = ${number}`
    if (run === undefined) continue
    const { summary, ...row } = run
    const [checksums, told] = [yield* sum(number), Checksum.of([summary])]
    yield* sql`UPDATE runs SET outcomes = ${row.outcomes}, checksums = ${checksums}, summary_checksum = ${told},
        checksum = ${Checksum.of([...Object.values(row), checksums, told])}
      WHERE number = ${number}`
  }
})
