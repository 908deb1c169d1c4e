/** A verification tells whether runs are kept as they were recorded. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type * as Run from "../../Run.ts"
import * as Content from "./Content.ts"
import * as RunCount from "./RunCount.ts"
import * as RunOutcome from "./RunOutcome.ts"
import * as RunRow from "./RunRow.ts"

/** So many rows are read at once. */
const BATCH = 512

interface SeenRow extends RunOutcome.RunOutcome {
  /** This is null where the outcome itself is gone. */
  readonly kept: string | null
}

const keyOf = ({ at, digest }: Pick<RunOutcome.RunOutcome, "at" | "digest">): string => `${at} ${digest}`

/** No outcome is known to be altered. */
const NONE_ALTERED: ReadonlySet<string> = new Set()

export const make = (sql: SqlClient.SqlClient) => {
  /** Tells whether a run has all of its outcomes, none of another's, and none of those that are `altered`. */
  const hasItsOutcomes = Effect.fnUntraced(function*(row: RunRow.RunRow, altered: ReadonlySet<string> = NONE_ALTERED) {
    let totals = RunOutcome.NONE
    let after: Pick<RunOutcome.RunOutcome, "id" | "digest"> = { id: "", digest: "" }
    for (;;) {
      const rows: ReadonlyArray<SeenRow> = yield* sql<SeenRow>`SELECT o.id, o.digest, o.at, c.digest AS kept
        FROM run_outcomes o LEFT JOIN outcomes c ON c.at = o.at AND c.digest = o.digest
        WHERE o.run = ${row.number} AND (o.id, o.digest) > (${after.id}, ${after.digest})
        ORDER BY o.id, o.digest LIMIT ${BATCH}`
      if (rows.some((seen) => seen.kept === null || altered.has(keyOf(seen)))) return false
      totals = RunOutcome.add(totals, rows)
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH) return RunOutcome.areEqual(totals, row)
      after = last
    }
  })

  /** Reads the outcomes of `[from, to)` that are not as they were written. */
  const altered = Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const found = new Set<string>()
    let after: Pick<RunOutcome.RunOutcome, "at" | "digest"> = { at: from, digest: "" }
    for (;;) {
      const rows: ReadonlyArray<Content.Content> = yield* sql<Content.Content>`SELECT ${
        sql.literal(Content.COLUMNS.join(", "))
      } FROM outcomes WHERE (at, digest) > (${after.at}, ${after.digest}) AND at < ${to}
        ORDER BY at, digest LIMIT ${BATCH}`
      for (const row of rows) if (!Content.holds(row)) found.add(keyOf(row))
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH) return found
      after = last
    }
  })

  /**
   * Counts the runs of which only the outcomes are left, or that lost their id. An unfinished run has no id, and no checksum
   * either.
   */
  const orphaned = Effect.map(
    sql<{ readonly count: number }>`SELECT COUNT(DISTINCT o.run) AS count FROM run_outcomes o
      LEFT JOIN runs r ON r.number = o.run WHERE r.number IS NULL OR (r.id IS NULL AND r.checksum IS NOT NULL)`,
    (rows) => rows[0]?.count ?? 0
  )

  const lost = Effect.map(
    Effect.all([orphaned, RunCount.read(sql)]),
    ([orphaned, { kept, recorded }]) => Math.max(orphaned, (recorded ?? kept) - kept)
  )

  /** Tells whether a run is as it was recorded, except for what its outcomes say. */
  const isSound = (row: RunRow.Whole) => RunRow.isWhole(row) ? hasItsOutcomes(row) : Effect.succeed(false)

  /** Reads each outcome of the interval once, and for each run about that time which of them it came to. */
  const damages = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    const outcomes = yield* altered(interval)
    const ids: Array<string> = []
    const runs = yield* sql<RunRow.RunRow>`SELECT ${RunRow.columns(sql)} FROM runs WHERE id IS NOT NULL ORDER BY number`
    for (const row of runs) {
      if (RunRow.holds(row) && !RunRow.isAbout(row, interval)) continue
      const [whole] = yield* sql<RunRow.Whole>`SELECT ${RunRow.columns(sql)}, summary FROM runs
        WHERE number = ${row.number}`
      if (whole === undefined) {
        // The run was removed meanwhile, or a number beyond 2^53 is rounded when it is read and does not find its row.
        if (!RunRow.holds(row)) ids.push(row.id)
        continue
      }
      if (!RunRow.isWhole(whole) || !(yield* hasItsOutcomes(whole, outcomes))) ids.push(row.id)
    }
    return { ids, lost: yield* lost } satisfies Run.Damages
  })

  return { hasItsOutcomes, isSound, damages }
}
