/**
 * Control totals: how many rows are kept of a stretch of time, and the sum of their checksums. They are written in the
 * transaction that writes the rows; whoever reads the stretch compares.
 *
 * A stretch is a day (UTC), or less where a day has many rows. Rows are records, their versions, and what could not be read.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Operation = Coverage.Coverage["operation"]

const DAY = 86_400_000

/** The first time of any record that is taken for one, Unix ms: no reading of what was before is noted. */
export const FIRST = Date.UTC(2010)

export interface Limits {
  /** A stretch with more rows is divided. */
  readonly most: number
  /** Stretches that are looked up at once, two or more. */
  readonly ahead: number
}

const LIMITS: Limits = { most: 8192, ahead: 256 }

/** Those of a checksum: a damaged one with more of them must not overflow a sum. */
const CHECKSUM_BITS = 0xffff_ffff

const NOTHING = { records: 0, checksums: 0, readAt: 0 }

export interface Totals {
  readonly records: number
  /** The sum of the rows' checksums. */
  readonly checksums: number
}

export interface Control extends Totals, Coverage.Interval {
  /** Server time of the latest complete reading of any part of it, Unix ms; 0: none. */
  readonly readAt: number
}

/** A row that came, with `records` 1, or went, with -1. */
export interface Change extends Totals {
  readonly at: number
}

interface Row extends Totals {
  readonly from_ms: number
  readonly read_at: number
}

export interface ControlTable {
  /** Counts rows that came and went. Inside the transaction that writes them. */
  readonly apply: (operation: Operation, changes: ReadonlyArray<Change>) => Effect.Effect<void, SqlError>
  /** Notes a complete reading. Inside the transaction that writes its coverage. */
  readonly reached: (
    operation: Operation,
    interval: Coverage.Interval,
    readAt: number
  ) => Effect.Effect<void, SqlError>
  /** Sets the totals of a stretch to what is there. Inside a transaction. */
  readonly recount: (operation: Operation, interval: Coverage.Interval) => Effect.Effect<void, SqlError>
  /**
   * The next stretches of `[from, to)`, without holes: of time between them nothing was ever kept. They have `most` rows
   * together, or are one, and may begin earlier and end later than asked.
   */
  readonly next: (
    operation: Operation,
    interval: Coverage.Interval,
    most: number
  ) => Effect.Effect<ReadonlyArray<Control>, SqlError>
  /** The stretches that hold any part of `[from, to)`, in order of time; of time between them nothing was ever kept. */
  readonly read: (
    operation: Operation,
    interval: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<Control>, SqlError>
}

const dayOf = (time: number): number => Math.floor(time / DAY) * DAY

/** The row of the stretch that a time belongs to. */
const holding = (rows: ReadonlyArray<Row>, at: number): Row | undefined => {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.from_ms ?? at) <= at) low = middle + 1
    else high = middle
  }
  const row = rows[low - 1]
  return row !== undefined && row.from_ms >= dayOf(at) ? row : undefined
}

export const make = (sql: SqlClient.SqlClient, { ahead, most: full }: Limits = LIMITS): ControlTable => {
  /** Those of the days that `[from, to]` touches, in order. */
  const ofDays = (operation: Operation, from: number, to: number) =>
    sql<Row>`SELECT from_ms, records, checksums, read_at FROM controls
      WHERE operation = ${operation} AND from_ms >= ${dayOf(from)} AND from_ms < ${dayOf(to) + DAY} ORDER BY from_ms`

  const write = (operation: Operation, { checksums, from_ms, read_at, records }: Row) =>
    sql`INSERT INTO controls (operation, from_ms, records, checksums, read_at)
      VALUES (${operation}, ${from_ms}, ${records}, ${checksums}, ${read_at})
      ON CONFLICT (operation, from_ms) DO UPDATE SET
        records = excluded.records, checksums = excluded.checksums, read_at = excluded.read_at`

  /** What is there, by the rows' own checksums. */
  const count = Effect.fnUntraced(function*(operation: Operation, from: number, to: number) {
    const [totals] = yield* sql<Totals>`SELECT
        CAST(SUM(records) AS BIGINT) AS records, CAST(SUM(checksums) AS BIGINT) AS checksums FROM (
      SELECT COUNT(*) AS records, COALESCE(SUM(checksum & ${CHECKSUM_BITS}), 0) AS checksums FROM ${sql(operation)}
        WHERE at >= ${from} AND at < ${to}
      UNION ALL SELECT COUNT(*), COALESCE(SUM(checksum & ${CHECKSUM_BITS}), 0) FROM versions
        WHERE operation = ${operation} AND at >= ${from} AND at < ${to}
      UNION ALL SELECT COUNT(*), COALESCE(SUM(checksum & ${CHECKSUM_BITS}), 0) FROM bad_records
        WHERE operation = ${operation} AND at >= ${from} AND at < ${to}
    ) AS counted`
    return totals ?? { records: 0, checksums: 0 }
  })

  /** Where a stretch is divided: behind half of the records that one may have; nowhere where all are of one time. */
  const border = Effect.fnUntraced(function*(operation: Operation, from: number, to: number) {
    const [middle] = yield* sql<{ readonly at: number }>`SELECT at FROM ${sql(operation)}
      WHERE at >= ${from} AND at < ${to} ORDER BY at LIMIT 1 OFFSET ${full >> 1}`
    if (middle === undefined) return undefined
    if (middle.at > from) return middle.at
    const [next] = yield* sql<{ readonly at: number | null }>`SELECT MIN(at) AS at FROM ${sql(operation)}
      WHERE at > ${from} AND at < ${to}`
    return next?.at ?? undefined
  })

  /** What is moved to a later stretch is taken from the first: were they wrong together, one of them still is. */
  const divide = Effect.fnUntraced(function*(operation: Operation, row: Row, to: number) {
    let last = row
    while (last.records > full) {
      const from = yield* border(operation, last.from_ms, to)
      if (from === undefined) break
      const behind = yield* count(operation, from, to)
      const [records, checksums] = [last.records - behind.records, last.checksums - behind.checksums]
      yield* write(operation, { ...last, records, checksums })
      last = { ...behind, from_ms: from, read_at: last.read_at }
    }
    if (last !== row) yield* write(operation, last)
  })

  const apply = Effect.fnUntraced(function*(operation: Operation, changes: ReadonlyArray<Change>) {
    if (changes.length === 0) return
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { at } of changes) {
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
    const rows = yield* ofDays(operation, first, last)
    const next = new Map<number, Row>()
    for (const { at, checksums, records } of changes) {
      const known = holding(rows, at)
      const from_ms = known?.from_ms ?? dayOf(at)
      const row = next.get(from_ms) ?? known ?? { from_ms, records: 0, checksums: 0, read_at: 0 }
      next.set(from_ms, { ...row, records: row.records + records, checksums: row.checksums + checksums })
    }
    for (const row of next.values()) {
      yield* write(operation, row)
      if (row.records <= full) continue
      const after = rows.find(({ from_ms }) => from_ms > row.from_ms)
      yield* divide(operation, row, Math.min(after?.from_ms ?? Number.POSITIVE_INFINITY, dayOf(row.from_ms) + DAY))
    }
  })

  const reached = Effect.fnUntraced(function*(operation: Operation, interval: Coverage.Interval, readAt: number) {
    const [from, to] = [Math.max(interval.from, FIRST), interval.to]
    if (to <= from) return
    const rows = yield* ofDays(operation, from, to - 1)
    const days = new Set(rows.map(({ from_ms }) => dayOf(from_ms)))
    for (let day = dayOf(from); day < to; day += DAY) {
      if (!days.has(day)) yield* write(operation, { from_ms: day, records: 0, checksums: 0, read_at: readAt })
    }
    const begin = holding(rows, from)?.from_ms ?? dayOf(from)
    yield* sql`UPDATE controls SET read_at = ${readAt}
      WHERE operation = ${operation} AND from_ms >= ${begin} AND from_ms < ${to} AND read_at < ${readAt}`
  })

  const controls = (rows: ReadonlyArray<Row>): ReadonlyArray<Control> =>
    rows.map(({ checksums, from_ms, read_at, records }, index) => ({
      from: from_ms,
      to: Math.min(rows[index + 1]?.from_ms ?? Number.POSITIVE_INFINITY, dayOf(from_ms) + DAY),
      records,
      checksums,
      readAt: read_at
    }))

  const read = Effect.fnUntraced(function*(operation: Operation, { from, to }: Coverage.Interval) {
    if (to <= from) return []
    const rows = yield* ofDays(operation, from, to - 1)
    return controls(rows).filter((control) => control.to > from && control.from < to)
  })

  const next = Effect.fnUntraced(function*(operation: Operation, { from, to }: Coverage.Interval, most: number) {
    // From the stretch that `from` lies in, to those of the last day that begin behind `to`: they end the one before.
    const rows = yield* sql<Row>`SELECT from_ms, records, checksums, read_at FROM controls
      WHERE operation = ${operation} AND from_ms < ${dayOf(to - 1) + DAY} AND from_ms >= COALESCE(
        (SELECT MAX(from_ms) FROM controls
          WHERE operation = ${operation} AND from_ms >= ${dayOf(from)} AND from_ms <= ${from}), ${from})
      ORDER BY from_ms LIMIT ${ahead}`
    const isAll = rows.length < ahead
    // Where the last of them ends is not known: the next one may divide its day.
    const known = (isAll ? controls(rows) : controls(rows).slice(0, -1)).filter((control) => control.from < to)
    const found: Array<Control> = []
    let at = Math.min(from, known[0]?.from ?? from)
    let sum = 0
    for (const control of known) {
      if (found.length > 0 && sum + control.records > most) return found
      if (control.from > at) found.push({ from: at, to: control.from, ...NOTHING })
      found.push(control)
      sum += control.records
      at = control.to
    }
    if (isAll && at < to) found.push({ from: at, to, ...NOTHING })
    return found
  })

  const recount = Effect.fnUntraced(function*(operation: Operation, interval: Coverage.Interval) {
    for (const { from, readAt, to } of yield* read(operation, interval)) {
      yield* write(operation, { ...(yield* count(operation, from, to)), from_ms: from, read_at: readAt })
    }
  })

  return { apply, reached, recount, next, read }
}
