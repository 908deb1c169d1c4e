/**
 * Control totals say how many rows are kept of a stretch of time, what their weights add up to, and, as a number, what coverage
 * claims of the stretch. They are written in the transaction that writes rows and coverage, and whatever reads the stretch
 * compares them.
 *
 * A stretch is a day (UTC), or less where a day has many rows. Rows are records, their versions, and records that could not be
 * read.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import * as Checksum from "../sql/Checksum.ts"
import * as Claims from "./Claims.ts"
import * as CoverageRow from "./CoverageRow.ts"
import * as Day from "./Day.ts"
import * as Weight from "./Weight.ts"

type Operation = Coverage.Coverage["operation"]

export interface Limits {
  /** A stretch with more rows is divided. */
  readonly most: number
  /** So many stretches are looked up at once, two or more. */
  readonly ahead: number
}

const LIMITS: Limits = { most: 8192, ahead: 256 }

/** A checksum has these bits; a damaged one with more of them must not overflow a sum. */
const CHECKSUM_BITS = 0xffff_ffff

/** One statement writes so many rows. */
const TOGETHER = 250

/** No total of an archive comes near this. */
const BEYOND = 2 ** 52

const NOTHING = { records: 0, checksums: 0, claims: 0 }

export interface Totals {
  readonly records: number
  /** The checksums of the rows add up to this; records count by their `Weight`. */
  readonly checksums: number
}

export interface Control extends Totals, Coverage.Interval {
  /** This number says what coverage claims of the stretch, see `Claims`. */
  readonly claims: number
}

/** The coverage of this stretch was held against its control totals. */
interface Held extends Control {
  /** It is true where coverage claims something else than it did when the rows were written. */
  readonly isOutdated: boolean
}

/** A row came where `records` is 1, and went where it is -1. */
export interface Change extends Totals {
  readonly at: number
}

interface Row extends Totals {
  readonly from_ms: number
  readonly claims: number
}

export interface ControlTable {
  /** Counts rows that came and went. It runs inside the transaction that writes them. */
  readonly apply: (operation: Operation, changes: ReadonlyArray<Change>) => Effect.Effect<void, SqlError>
  /** Counts coverage that came and went. It runs inside the transaction that writes it. */
  readonly claim: (
    operation: Operation,
    gone: ReadonlyArray<Claims.Claim>,
    come: ReadonlyArray<Claims.Claim>
  ) => Effect.Effect<void, SqlError>
  /** Gives the stretches of the days of an interval, without holes, and holds them against `claims`. */
  readonly held: (
    operation: Operation,
    interval: Coverage.Interval,
    claims: ReadonlyArray<Claims.Claim>
  ) => Effect.Effect<ReadonlyArray<Held>, SqlError>
  /** Adds up the rows that are there, by their own checksums. */
  readonly counted: (operation: Operation, interval: Coverage.Interval) => Effect.Effect<Totals, SqlError>
  /** Sets the totals of a stretch to the rows that are there. It runs inside a transaction. */
  readonly recount: (operation: Operation, interval: Coverage.Interval) => Effect.Effect<void, SqlError>
  /**
   * Gives the next stretches of `[from, to)`, without holes: nothing was ever kept of time between them. Either they have at
   * most `most` rows together, or there is only one. They may begin earlier and end later than asked: a day is divided only at
   * the borders of its stretches.
   */
  readonly next: (
    operation: Operation,
    interval: Coverage.Interval,
    most: number
  ) => Effect.Effect<ReadonlyArray<Control>, SqlError>
  /** Gives a text that is another one whenever rows or coverage, of whatever time, come or go. */
  readonly state: Effect.Effect<string, SqlError>
  /** Gives the stretches that hold any part of `[from, to)`, in order of time; nothing was ever kept of time between them. */
  readonly read: (
    operation: Operation,
    interval: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<Control>, SqlError>
}

/** Gives the whole days that an interval touches; no stretch reaches from one day into another. */
export const days = ({ from, to }: Coverage.Interval): Coverage.Interval => ({
  from: Day.dayOf(from),
  to: Day.dayOf(to - 1) + Day.DAY
})

/** Finds the row of the stretch to which a time belongs. */
const holding = (rows: ReadonlyArray<Row>, at: number): Row | undefined => {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.from_ms ?? at) <= at) low = middle + 1
    else high = middle
  }
  const row = rows[low - 1]
  return row !== undefined && row.from_ms >= Day.dayOf(at) ? row : undefined
}

const controls = (rows: ReadonlyArray<Row>): ReadonlyArray<Control> =>
  rows.map(({ checksums, claims, from_ms, records }, index) => ({
    from: from_ms,
    to: Math.min(rows[index + 1]?.from_ms ?? Number.POSITIVE_INFINITY, Day.dayOf(from_ms) + Day.DAY),
    records,
    checksums,
    claims
  }))

/** Adds a stretch of nothing wherever there is none. */
const filled = (known: ReadonlyArray<Control>, { from, to }: Coverage.Interval): ReadonlyArray<Control> => {
  const found: Array<Control> = []
  let at = from
  for (const control of known) {
    if (control.from > at) found.push({ from: at, to: control.from, ...NOTHING })
    found.push(control)
    at = control.to
  }
  return at < to ? [...found, { from: at, to, ...NOTHING }] : found
}

/** Gives the rows of days in order, and adds a row of nothing for each day that has none at its beginning. */
const ofEachDay = (rows: ReadonlyArray<Row>, { from, to }: Coverage.Interval): ReadonlyArray<Row> => {
  const begun = new Set(rows.map(({ from_ms }) => from_ms))
  const added: Array<Row> = []
  for (let day = Day.dayOf(from); day < to; day += Day.DAY) {
    if (!begun.has(day)) added.push({ from_ms: day, ...NOTHING })
  }
  return added.length === 0 ? rows : [...rows, ...added].toSorted((a, b) => a.from_ms - b.from_ms)
}

/** Hashes the stretches of both operations, each with its totals. */
const digest = (operations: ReadonlyArray<ReadonlyArray<Control>>): string => {
  const hash = createHash("sha256")
  for (const stretches of operations) {
    for (const { checksums, claims, from, records } of stretches) {
      hash.update(`${from} ${records} ${checksums} ${claims}\n`)
    }
    hash.update("\n")
  }
  return hash.digest("hex")
}

/** Bounds a damaged total: it still fits a column when it is changed and written back, and nothing adds up to it. */
const bounded = (total: number): number => Math.max(-BEYOND, Math.min(total, BEYOND))

const sound = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map(({ checksums, claims, from_ms, records }) => ({
    from_ms,
    records: bounded(records),
    checksums: bounded(checksums),
    claims: bounded(claims)
  }))

export const make = (sql: SqlClient.SqlClient, { ahead, most: full }: Limits = LIMITS): ControlTable => {
  /** Reads the rows of the days that `[from, to]` touches, in order. */
  const ofDays = (operation: Operation, from: number, to: number) =>
    Effect.map(
      sql<Row>`SELECT from_ms, records, checksums, claims FROM controls
      WHERE operation = ${operation} AND from_ms >= ${Day.dayOf(from)} AND from_ms < ${Day.dayOf(to) + Day.DAY}
      ORDER BY from_ms`,
      sound
    )

  const write = Effect.fnUntraced(function*(operation: Operation, rows: ReadonlyArray<Row>) {
    for (let from = 0; from < rows.length; from += TOGETHER) {
      const values = rows.slice(from, from + TOGETHER).map(({ checksums, claims, from_ms, records }) =>
        sql`(${operation}, ${from_ms}, ${records}, ${checksums}, ${claims})`
      )
      yield* sql`INSERT INTO controls (operation, from_ms, records, checksums, claims) VALUES ${sql.csv(values)}
        ON CONFLICT (operation, from_ms) DO UPDATE SET records = excluded.records, checksums = excluded.checksums, claims = excluded.claims`
    }
  })

  const columns = sql.literal([...CoverageRow.COLUMNS, "checksum"].join(", "))
  const claimed = Effect.fnUntraced(function*(operation: Operation, from: number, to: number) {
    const rows = yield* sql<CoverageRow.CoverageRow>`SELECT ${columns} FROM coverage
      WHERE operation = ${operation} AND from_ms < ${to} AND to_ms > ${from}`
    return Claims.sums([{ from, to }], rows.filter(Checksum.holds))[0] ?? 0
  })

  const weight = Weight.ofRow(sql)
  const counted: ControlTable["counted"] = (operation, { from, to }) =>
    Effect.map(
      sql<Totals>`SELECT
        CAST(SUM(records) AS BIGINT) AS records, CAST(SUM(checksums) AS BIGINT) AS checksums FROM (
      SELECT COUNT(*) AS records, COALESCE(SUM(${weight}), 0) AS checksums FROM ${sql(operation)}
        WHERE at >= ${from} AND at < ${to}
      UNION ALL SELECT COUNT(*), COALESCE(SUM(checksum & ${CHECKSUM_BITS}), 0) FROM versions
        WHERE operation = ${operation} AND at >= ${from} AND at < ${to}
      UNION ALL SELECT COUNT(*), COALESCE(SUM(checksum & ${CHECKSUM_BITS}), 0) FROM bad_records
        WHERE operation = ${operation} AND at >= ${from} AND at < ${to}
    ) AS counted`,
      ([totals]) => ({ records: 0, checksums: 0, ...totals })
    )

  /** Counts the rows that are there, and what coverage claims. */
  const count = (operation: Operation, from: number, to: number) =>
    Effect.zipWith(counted(operation, { from, to }), claimed(operation, from, to), (totals, claims) => ({
      ...totals,
      claims
    }))

  /** Finds where a stretch is divided: behind half of the records that one may have; nowhere where all are of one time. */
  const border = Effect.fnUntraced(function*(operation: Operation, from: number, to: number) {
    const [middle] = yield* sql<{ readonly at: number }>`SELECT at FROM ${sql(operation)}
      WHERE at >= ${from} AND at < ${to} ORDER BY at LIMIT 1 OFFSET ${full >> 1}`
    if (middle === undefined) return undefined
    if (middle.at > from) return middle.at
    const [next] = yield* sql<{ readonly at: number | null }>`SELECT MIN(at) AS at FROM ${sql(operation)}
      WHERE at > ${from} AND at < ${to}`
    return next?.at ?? undefined
  })

  /**
   * Divides a stretch with too many rows. A stretch that is not as it was written stays whole, because a part of it could look
   * sound.
   */
  const divide = Effect.fnUntraced(function*(operation: Operation, row: Row, to: number) {
    let last = row
    while (last.records > full) {
      const from = yield* border(operation, last.from_ms, to)
      if (from === undefined) break
      if (last === row) {
        const there = yield* count(operation, row.from_ms, to)
        const isSound = there.records === row.records && there.checksums === row.checksums &&
          there.claims === row.claims
        if (!isSound) return
      }
      const behind = yield* count(operation, from, to)
      const [records, checksums] = [last.records - behind.records, last.checksums - behind.checksums]
      yield* write(operation, [{ ...last, records, checksums, claims: last.claims - behind.claims }])
      last = { ...behind, from_ms: from }
    }
    if (last !== row) yield* write(operation, [last])
  })

  const apply = Effect.fnUntraced(function*(operation: Operation, changes: ReadonlyArray<Change>) {
    if (changes.length === 0) return
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { at } of changes) {
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
    const rows = yield* ofDays(operation, first, last)
    const next = new Map<number, { -readonly [Key in keyof Row]: Row[Key] }>()
    for (const { at, checksums, records } of changes) {
      const known = holding(rows, at)
      const from_ms = known?.from_ms ?? Day.dayOf(at)
      const row = next.get(from_ms) ?? { from_ms, ...NOTHING, ...known }
      row.records += records
      row.checksums += checksums
      next.set(from_ms, row)
    }
    yield* write(operation, [...next.values()])
    for (const row of next.values()) {
      if (row.records <= full) continue
      const after = rows.find(({ from_ms }) => from_ms > row.from_ms)
      yield* divide(
        operation,
        row,
        Math.min(after?.from_ms ?? Number.POSITIVE_INFINITY, Day.dayOf(row.from_ms) + Day.DAY)
      )
    }
  })

  const claim: ControlTable["claim"] = Effect.fnUntraced(function*(operation, gone, come) {
    const all = [...gone, ...come]
    const from = all.reduce((least, { from_ms }) => Math.min(least, from_ms), Number.POSITIVE_INFINITY)
    const to = all.reduce((most, { to_ms }) => Math.max(most, to_ms), Number.NEGATIVE_INFINITY)
    const interval = { from: Math.max(from, Claims.FIRST), to }
    if (interval.from >= to) return
    const rows = ofEachDay(yield* ofDays(operation, interval.from, to - 1), interval)
    const stretches = controls(rows)
    const [before, after] = [Claims.sums(stretches, gone), Claims.sums(stretches, come)]
    const changed = rows.map((row, index) => ({
      ...row,
      claims: row.claims + (after[index] ?? 0) - (before[index] ?? 0)
    }))
    yield* write(operation, changed.filter(({ claims }, index) => claims !== rows[index]?.claims))
  })

  const held: ControlTable["held"] = Effect.fnUntraced(function*(operation, interval, claims) {
    const stretches = filled(controls(yield* ofDays(operation, interval.from, interval.to - 1)), days(interval))
    const found = Claims.sums(stretches, claims)
    return stretches.map((stretch, index) => Object.assign(stretch, { isOutdated: stretch.claims !== found[index] }))
  })

  const read = Effect.fnUntraced(function*(operation: Operation, { from, to }: Coverage.Interval) {
    if (to <= from) return []
    const rows = yield* ofDays(operation, from, to - 1)
    return controls(rows).filter((control) => control.to > from && control.from < to)
  })

  const next = Effect.fnUntraced(function*(operation: Operation, { from, to }: Coverage.Interval, most: number) {
    // The rows begin with the stretch in which `from` lies; rows of the last day behind `to` end the stretch before them.
    const rows = sound(
      yield* sql<Row>`SELECT from_ms, records, checksums, claims FROM controls
      WHERE operation = ${operation} AND from_ms < ${Day.dayOf(to - 1) + Day.DAY} AND from_ms >= COALESCE(
        (SELECT MAX(from_ms) FROM controls
          WHERE operation = ${operation} AND from_ms >= ${Day.dayOf(from)} AND from_ms <= ${from}), ${from})
      ORDER BY from_ms LIMIT ${ahead}`
    )
    const isAll = rows.length < ahead
    // The end of the last of them is not known, because the next one may divide its day.
    const known = (isAll ? controls(rows) : controls(rows).slice(0, -1)).filter((control) => control.from < to)
    const [first] = known
    const begin = first !== undefined && first.from <= from ? first.from : Day.dayOf(from)
    const dayEnd = Math.min(Day.dayOf(to - 1) + Day.DAY, Number.MAX_SAFE_INTEGER)
    const end = controls(rows).find((control) => control.from >= to)?.from ?? Math.max(to, dayEnd)
    const found: Array<Control> = []
    let sum = 0
    for (const control of filled(known, { from: begin, to: isAll ? end : begin })) {
      if (sum > 0 && sum + control.records > most) return found
      found.push(control)
      sum += control.records
    }
    return found
  })

  const recount = Effect.fnUntraced(function*(operation: Operation, interval: Coverage.Interval) {
    for (const { from, to } of yield* read(operation, interval)) {
      yield* write(operation, [{ ...(yield* count(operation, from, to)), from_ms: from }])
    }
  })

  // The database adds nothing up: the sum of damaged totals may be more than it can hold.
  const state = Effect.map(
    Effect.forEach(["deposits", "transfers"] as const, (operation) =>
      Effect.map(
        sql<
          Row
        >`SELECT from_ms, records, checksums, claims FROM controls WHERE operation = ${operation} ORDER BY from_ms`,
        controls
      )),
    digest
  )

  return { apply, claim, held, counted, recount, next, read, state }
}
