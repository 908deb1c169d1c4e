/** A row of `runs` holds a run in short, with its checksums. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as SqlClient from "effect/sql/SqlClient"
import type * as Run from "../../Run.ts"
import * as Checksum from "../sql/Checksum.ts"
import type * as RunOutcome from "./RunOutcome.ts"

/** This is a finished run; an unfinished one has no id and is never read. */
export interface RunRow extends RunOutcome.Totals {
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
  readonly summary_checksum: number
  /** The checksum is over everything that stands before it, and the number. */
  readonly checksum: number
}

export interface Whole extends RunRow {
  readonly summary: string
}

/** These are all columns except the summary, which is long. */
export const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(
    "number, id, touched_at, from_ms, to_ms, clean, matched, discrepancies, pending, undetermined, set_aside, " +
      "outcomes, checksums, summary_checksum, checksum"
  )

const checksumOf = (row: RunRow): number =>
  Checksum.of([
    row.number,
    row.id,
    row.touched_at,
    row.from_ms,
    row.to_ms,
    row.clean,
    row.matched,
    row.discrepancies,
    row.pending,
    row.undetermined,
    row.set_aside,
    row.outcomes,
    row.checksums,
    row.summary_checksum
  ])

type Content = Omit<Whole, "summary_checksum" | "checksum">

/** Makes the row of a run, with its checksums. */
export const make = ({ summary, ...content }: Content): Whole => {
  const summary_checksum = Checksum.of([summary])
  const row = { ...content, summary_checksum, checksum: 0 }
  return { ...row, checksum: checksumOf(row), summary }
}

export const isAbout = ({ from_ms, to_ms }: RunRow, { from, to }: Coverage.Interval): boolean =>
  from_ms === null || to_ms === null || (from_ms < to && to_ms > from)

/** Tells whether the row is as it was written. */
export const holds = (row: RunRow): boolean => checksumOf(row) === row.checksum

/** Tells whether the row and the summary beside it are as they were written. */
export const isWhole = (row: Whole): boolean => holds(row) && Checksum.of([row.summary]) === row.summary_checksum

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

export const damaged = ({ id }: RunRow): Run.Damaged => ({ id, damaged: true })

/** Gives a run for a list, which goes on where a run is damaged. */
export const listed = (row: RunRow): Run.Listed => holds(row) ? decode(row) : damaged(row)
