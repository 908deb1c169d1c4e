/** Runs in their table. */
import type * as SqlClient from "effect/sql/SqlClient"
import type * as Run from "../../Run.ts"

/** A finished run; an unfinished one has no id and is never read. */
export interface RunRow {
  readonly number: number
  readonly id: string
  readonly touched_at: number
  readonly from_ms: number | null
  readonly to_ms: number | null
  readonly clean: number
  readonly matched: number
  readonly discrepancies: number
  readonly pending: number
  readonly undetermined: number
  readonly set_aside: number
}

/** All but the summary, which is long. */
export const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(
    "number, id, touched_at, from_ms, to_ms, clean, matched, discrepancies, pending, undetermined, set_aside"
  )

export const decode = (row: RunRow): Run.Run => ({
  id: row.id,
  recordedAt: row.touched_at,
  range: row.from_ms === null || row.to_ms === null ? null : { from: row.from_ms, to: row.to_ms },
  clean: row.clean === 1,
  counts: {
    matched: row.matched,
    discrepancy: row.discrepancies,
    pending: row.pending,
    undetermined: row.undetermined,
    "set-aside": row.set_aside
  }
})
