/** This table keeps records that could not be read, as they came. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as ControlTable from "../coverage/ControlTable.ts"
import * as Day from "../coverage/Day.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as Untimed from "./Untimed.ts"

type Operation = Coverage.Coverage["operation"]

/** A row has its fields in the order of the columns. */
export interface Row {
  readonly operation: Operation
  readonly query: number
  readonly id: string
  readonly at: number
  /** The record may belong in time up to this end, of the same day (UTC), Unix ms, exclusive. */
  readonly until: number
  /**
   * 1 means that the record tells its time; 0, that it tells none; 2, that a repair set it aside, and no reading answers it; 3,
   * that it is not a record but a note by a repair of rows that were lost.
   */
  readonly timed: number
  readonly raw: string
  readonly occurrences: number
  readonly source: string
  readonly path: string
  readonly reason: string
  readonly seen_at: number
  readonly gone_at: number | null
  readonly checksum: number
}

export const COLUMNS: ReadonlyArray<string> = [
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
  "seen_at",
  "gone_at",
  "checksum"
]

const sides = { deposits: "deposit", transfers: "transfer" } as const

const encoder = new TextEncoder()

/** Raw texts can be longer than an index takes, so a digest stands for them. */
const digest = (raw: string): Effect.Effect<string> =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, encoder.encode(JSON.stringify(raw)))).pipe(
    Effect.map(Hex.encode),
    Effect.provide(Digest.layerWebCrypto)
  )

/**
 * These numbers say whether a record tells its time itself, or a repair set it aside, so that no reading settles what became of
 * it. A note is no record: a repair wrote it of rows that were lost, and a reader of that time meets a gap instead.
 */
export const timed = { told: 1, untold: 0, aside: 2, note: 3 } as const

/** A record that cannot be read may belong in this interval; `time` says where that comes from. */
export interface Filed extends Coverage.Interval {
  readonly time: keyof typeof timed
}

interface Shown {
  readonly operation: Operation
  /** The query of this number showed them. */
  readonly query: number
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly seenAt: number
  readonly filed: (raw: string) => Filed
}

type Changes = Effect.Effect<ReadonlyArray<ControlTable.Change>, SqlError>

export interface BadRecordTable {
  /**
   * Keeps each text as often as one response showed it. A text that is shown again where it may be the same record is taken for
   * that record, which may belong in the one time or in the other. It runs inside a transaction whose control totals count what
   * it returns, and that took out `altered` rows before.
   */
  readonly save: (shown: Shown) => Changes
  /**
   * Marks records that a complete reading of `[from, to)` did not show again. A record that tells no time may belong anywhere,
   * and stays. It runs inside a transaction whose control totals count what it returns, and that took out `altered` rows
   * before.
   */
  readonly settle: (shown: Shown, interval: Coverage.Interval) => Changes
  /** Gives the rows that are not as they were written, among those with which a record of `[from, to)` may be compared. */
  readonly altered: (operation: Operation, interval: Coverage.Interval) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** Gives the rows of the day that begin before a time and reach behind it. */
  readonly reaching: (operation: Operation, at: number) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** Gives the days (UTC) of `[from, to)` in which a repair set something aside or noted a loss, in order of time. */
  readonly repaired: (
    operation: Operation,
    interval: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<Coverage.Interval>, SqlError>
}

/** Gives the record of a row, as often as it was shown. */
const records = ({ occurrences, operation, path, raw, reason, source }: Row): ReadonlyArray<BadRecord.BadRecord> => {
  const record: BadRecord.BadRecord = {
    side: sides[operation],
    source: StoredText.decode(source),
    path: StoredText.decode(path),
    reason: StoredText.decode(reason),
    raw: StoredText.decode(raw)
  }
  return Array.from({ length: occurrences }, () => record)
}

/** A record is placed at the first time in which it is looked for. */
export interface Placed {
  readonly at: number
  readonly records: ReadonlyArray<BadRecord.BadRecord>
}

/**
 * Gives records that may belong in `[from, to)`, from rows in order of time that hold what was written and are not gone. A
 * record that tells no time is given once, where it may belong first.
 */
export const within = (
  rows: ReadonlyArray<Row>,
  { from, to }: Coverage.Interval,
  before: Untimed.AllGiven
): { readonly placed: ReadonlyArray<Placed>; readonly given: Untimed.AllGiven } => {
  const sound = rows.filter((row) =>
    row.at < to && row.until > from && row.gone_at === null && row.timed !== timed.note && Checksum.holds(row)
  )
  const { given, rows: untold } = Untimed.fresh(before, sound.filter((row) => row.timed === timed.untold))
  return {
    given,
    placed: [...sound.filter((row) => row.timed !== timed.untold), ...untold].toSorted((a, b) => a.at - b.at)
      .map((row) => ({ at: Math.max(row.at, from), records: records(row) }))
  }
}

export const make = (sql: SqlClient.SqlClient): BadRecordTable => {
  const counted = Effect.fnUntraced(function*(bad: ReadonlyArray<BadRecord.BadRecord>) {
    const found = new Map<string, { readonly record: BadRecord.BadRecord; count: number }>()
    for (const record of bad) {
      const id = yield* digest(record.raw)
      const known = found.get(id)
      if (known === undefined) found.set(id, { record, count: 1 })
      else known.count++
    }
    return found
  })

  const all = sql.literal(COLUMNS.join(", "))
  const insert = Insert.into(sql, "bad_records", COLUMNS)

  /** Writes rows in place of others. */
  const put = Effect.fnUntraced(function*(
    before: ReadonlyArray<Row>,
    after: ReadonlyArray<Omit<Row, "checksum">>
  ) {
    if (after.length === 0) return []
    yield* Effect.forEach(
      before,
      ({ at, id, operation, query, timed }) =>
        sql`DELETE FROM bad_records WHERE operation = ${operation} AND query = ${query} AND id = ${id}
          AND timed = ${timed} AND at = ${at}`,
      { discard: true }
    )
    const rows = after.map((row) => {
      const values = [
        row.operation,
        row.query,
        row.id,
        row.at,
        row.until,
        row.timed,
        row.raw,
        row.occurrences,
        row.source,
        row.path,
        row.reason,
        row.seen_at,
        row.gone_at
      ]
      return [...values, Checksum.of(values)]
    })
    yield* insert(rows)
    return [
      ...before.map(({ at, checksum }) => ({ at, records: -1, checksums: -checksum })),
      ...rows.map((row, index) => ({ at: after[index]?.at ?? 0, records: 1, checksums: Number(row.at(-1)) }))
    ]
  })

  /** Rows that overlap or touch an interval lie in its days, or end where the first of them begins. */
  const near = ({ from, to }: Coverage.Interval) => sql`at >= ${Day.dayOf(from) - Day.DAY} AND at <= ${to}`

  const save = Effect.fnUntraced(function*({ bad, filed, operation, query, seenAt }: Shown) {
    if (bad.length === 0) return []
    const shown = Array.from(yield* counted(bad), ([id, { count, record }]) => ({
      id,
      count,
      record,
      filed: filed(record.raw)
    }))
    const whole = {
      from: Math.min(...shown.map(({ filed }) => filed.from)),
      to: Math.max(...shown.map(({ filed }) => filed.to))
    }
    const known = yield* sql<Row>`SELECT ${all} FROM bad_records
      WHERE operation = ${operation} AND query = ${query} AND ${near(whole)}
        AND ${InList.of(sql, "id", shown.map(({ id }) => id))} ORDER BY at`
    const changes = shown.map(({ count, filed, id, record: { path, raw, reason, source } }) => {
      const before = known.filter((row) =>
        row.id === id && row.timed === timed[filed.time] && row.at <= filed.to && row.until >= filed.from
      )
      const row = {
        operation,
        query,
        id,
        timed: timed[filed.time],
        raw: StoredText.encode(raw),
        occurrences: before.reduce((most, { occurrences }) => Math.max(most, occurrences), count),
        source: before[0]?.source ?? StoredText.encode(source),
        path: before[0]?.path ?? StoredText.encode(path),
        reason: before[0]?.reason ?? StoredText.encode(reason),
        seen_at: before[0]?.seen_at ?? seenAt,
        gone_at: null
      }
      const from = before.reduce((least, { at }) => Math.min(least, at), filed.from)
      const to = before.reduce((most, { until }) => Math.max(most, until), filed.to)
      return {
        before,
        after: Untimed.byDay({ from, to }).map((piece) => Object.assign({}, row, { at: piece.from, until: piece.to }))
      }
    })
    return yield* put(changes.flatMap(({ before }) => before), changes.flatMap(({ after }) => after))
  })

  const settle = Effect.fnUntraced(
    function*({ bad, operation, query, seenAt }: Shown, { from, to }: Coverage.Interval) {
      const kept = yield* sql<Row>`SELECT ${all} FROM bad_records
      WHERE operation = ${operation} AND query = ${query} AND at >= ${from} AND at < ${to}
          AND timed = ${timed.told} AND gone_at IS NULL`
      if (kept.length === 0) return []
      const shown = yield* counted(bad)
      const gone = kept.filter(({ id }) => !shown.has(id))
      return yield* put(gone, gone.map((row) => Object.assign({}, row, { gone_at: seenAt })))
    }
  )

  const altered: BadRecordTable["altered"] = (operation, interval) =>
    Effect.map(
      sql<Row>`SELECT ${all} FROM bad_records WHERE operation = ${operation} AND ${near(interval)}`,
      (rows) => rows.filter((row) => !Checksum.holds(row))
    )

  const reaching: BadRecordTable["reaching"] = (operation, at) =>
    sql<Row>`SELECT ${all} FROM bad_records
      WHERE operation = ${operation} AND at >= ${Day.dayOf(at)} AND at < ${at} AND until > ${at} ORDER BY at, id`

  const repaired: BadRecordTable["repaired"] = (operation, { from, to }) =>
    Effect.map(
      sql<Pick<Row, "at">>`SELECT DISTINCT at FROM bad_records
        WHERE operation = ${operation} AND at >= ${
        Day.dayOf(from)
      } AND at < ${to} AND timed IN (${timed.aside}, ${timed.note}) ORDER BY at`,
      (rows) => rows.map(({ at }) => ({ from: at, to: Day.endOf(at) }))
    )

  return { save, settle, altered, reaching, repaired }
}
