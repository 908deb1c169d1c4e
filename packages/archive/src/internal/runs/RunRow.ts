/** A row of `runs` holds a run in short, with its checksums. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type * as Run from "../../Run.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as PackedText from "../sql/PackedText.ts"
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
  /** The checksum is over all columns but itself and the summary. */
  readonly checksum: number
  /** A reconciliation came to the run again at this time, Unix ms; null where none did. */
  readonly seen_at: number | null
  /** Its outcomes were taken away at this time, Unix ms; null while they are there. */
  readonly pruned_at: number | null
}

export interface Whole extends RunRow {
  /** The summary as earlier versions wrote it; null where it is packed. */
  readonly summary: string | null
  readonly packed_summary: Uint8Array | null
}

/** These are all columns except the summary, which is long. */
export const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(
    "number, id, touched_at, from_ms, to_ms, clean, matched, discrepancies, pending, undetermined, set_aside, " +
      "outcomes, checksums, summary_checksum, checksum, seen_at, pruned_at"
  )

/** These are all columns. */
export const allColumns = (sql: SqlClient.SqlClient) => sql`${columns(sql)}, summary, packed_summary`

/** The checksum of a run that was recorded once and is whole has no more values than that of an earlier version. */
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
    row.summary_checksum,
    ...(row.seen_at === null && row.pruned_at === null ? [] : [row.seen_at, row.pruned_at])
  ])

interface Content extends Omit<Whole, "summary_checksum" | "checksum" | "summary" | "packed_summary"> {
  readonly summary: string
}

/** Makes the row of a run, with its checksums. */
export const make = ({ summary, ...content }: Content): Whole => {
  const summary_checksum = Checksum.of([summary])
  const row = { ...content, summary_checksum, checksum: 0 }
  return { ...row, checksum: checksumOf(row), summary: null, packed_summary: PackedText.pack(summary) }
}

/** Makes the columns of a row that is as it was written and changes. */
export const changed = (row: RunRow, change: Partial<Pick<RunRow, "seen_at" | "pruned_at">>) => {
  const next = { ...row, ...change }
  return { seen_at: next.seen_at, pruned_at: next.pruned_at, checksum: checksumOf(next) }
}

export const isAbout = ({ from_ms, to_ms }: RunRow, { from, to }: Coverage.Interval): boolean =>
  from_ms === null || to_ms === null || (from_ms < to && to_ms > from)

/** Tells whether the row is as it was written. */
export const holds = (row: RunRow): boolean => checksumOf(row) === row.checksum

/** Gives the summary beside a row, where both are as they were written. */
export const summaryOf = (row: Whole): Option.Option<string> =>
  Option.orElse(
    Option.fromNullOr(row.summary),
    () => Option.flatMap(Option.fromNullOr(row.packed_summary), PackedText.unpack)
  ).pipe(Option.filter((summary) => holds(row) && Checksum.of([summary]) === row.summary_checksum))

/** A reconciliation came to the run at this time last, Unix ms. */
export const lastSeen = ({ seen_at, touched_at }: RunRow): number => seen_at ?? touched_at

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
  },
  ...(row.pruned_at === null ? {} : { prunedAt: row.pruned_at })
})

export const damaged = ({ id }: RunRow): Run.Damaged => ({ id, damaged: true })

/** Gives a run for a list, which goes on where a run is damaged. */
export const listed = (row: RunRow): Run.Listed => holds(row) ? decode(row) : damaged(row)
