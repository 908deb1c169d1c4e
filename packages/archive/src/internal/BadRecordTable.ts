/** Records that could not be read, as they came, in their table. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Checksum from "./Checksum.ts"
import type * as ControlTable from "./ControlTable.ts"
import * as Day from "./Day.ts"
import * as Insert from "./Insert.ts"
import * as Lists from "./Lists.ts"
import * as StoredText from "./StoredText.ts"

type Operation = Coverage.Coverage["operation"]

/** In the order of the columns. */
export interface Row {
  readonly operation: Operation
  readonly query: number
  readonly id: string
  readonly at: number
  /**
   * 1: the record tells its time; 0: it tells none; 2: a repair set it aside, and no reading answers it; 3: it is no record but
   * what a repair noted of rows that were lost.
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

/** Raw texts can be longer than what an index takes. */
const digest = (raw: string): Effect.Effect<string> =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, encoder.encode(JSON.stringify(raw)))).pipe(
    Effect.map(Hex.encode),
    Effect.provide(Digest.layerWebCrypto)
  )

/**
 * Whether a record tells its time itself, or whether a repair set it aside, so that no reading settles what became of it. A note
 * is no record: a repair wrote it of rows that were lost, and whoever reads the time meets a gap instead.
 */
export const timed = { told: 1, untold: 0, aside: 2, note: 3 } as const

export interface Filed {
  readonly at: number
  readonly time: keyof typeof timed
}

interface Shown {
  readonly operation: Operation
  /** The number of the query that showed them. */
  readonly query: number
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly seenAt: number
  /** The time to file a record under, Unix ms, and where that comes from. */
  readonly filed: (raw: string) => Filed
  /** A slice knows better than a page where a record belongs that tells no time. */
  readonly isSlice: boolean
}

type Changes = Effect.Effect<ReadonlyArray<ControlTable.Change>, SqlError>

export interface BadRecordTable {
  /** Keeps each text as often as one response showed it. Inside a transaction, whose control totals count what it returns. */
  readonly save: (shown: Shown) => Changes
  /**
   * Marks what a complete reading of `[from, to)` did not show again. A record that tells no time may belong anywhere, and
   * stays. Inside a transaction, whose control totals count what it returns.
   */
  readonly settle: (shown: Shown, interval: Coverage.Interval) => Changes
  /** The days (UTC) of `[from, to)` in which a repair set something aside or noted a loss, in order of time. */
  readonly repaired: (
    operation: Operation,
    interval: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<Coverage.Interval>, SqlError>
}

/** Records of rows that hold what was written, and that are not gone. */
export const records = (rows: ReadonlyArray<Row>): ReadonlyArray<BadRecord.BadRecord> =>
  rows.filter((row) => row.gone_at === null && row.timed !== timed.note && Checksum.holds(row)).flatMap((row) => {
    const { path, raw, reason, source } = row
    const record: BadRecord.BadRecord = {
      side: sides[row.operation],
      source: StoredText.decode(source),
      path: StoredText.decode(path),
      reason: StoredText.decode(reason),
      raw: StoredText.decode(raw)
    }
    return Array.from({ length: row.occurrences }, () => record)
  })

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

  /** Writes rows in place of those that have their keys. */
  const put = Effect.fnUntraced(function*(
    before: ReadonlyArray<Row>,
    after: ReadonlyArray<Omit<Row, "checksum">>
  ) {
    if (after.length === 0) return []
    yield* Effect.forEach(
      before,
      ({ id, operation, query }) =>
        sql`DELETE FROM bad_records WHERE operation = ${operation} AND query = ${query} AND id = ${id}`,
      { discard: true }
    )
    const rows = after.map((row) => {
      const values = [
        row.operation,
        row.query,
        row.id,
        row.at,
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
      ...before.filter(({ at }) => at < Number.MAX_SAFE_INTEGER)
        .map(({ at, checksum }) => ({ at, records: -1, checksums: -checksum })),
      ...rows.map((row, index) => ({ at: after[index]?.at ?? 0, records: 1, checksums: Number(row.at(-1)) }))
    ]
  })

  const save = Effect.fnUntraced(function*({ bad, filed, isSlice, operation, query, seenAt }: Shown) {
    if (bad.length === 0) return []
    const shown = yield* counted(bad)
    const known = yield* sql<Row>`SELECT ${all} FROM bad_records
      WHERE operation = ${operation} AND query = ${query} AND ${Lists.within(sql, "id", [...shown.keys()])}`
    const before = new Map(known.filter((row) => Checksum.holds(row)).map((row) => [row.id, row]))
    return yield* put(
      known,
      Array.from(shown, ([id, { count, record }]): Omit<Row, "checksum"> => {
        const { path, raw, reason, source } = record
        const { at, time } = filed(raw)
        const row = before.get(id)
        if (row !== undefined) {
          const place = isSlice && row.timed === timed.untold ? at : row.at
          return { ...row, at: place, occurrences: Math.max(row.occurrences, count), gone_at: null }
        }
        return {
          operation,
          query,
          id,
          at,
          timed: timed[time],
          raw: StoredText.encode(raw),
          occurrences: count,
          source: StoredText.encode(source),
          path: StoredText.encode(path),
          reason: StoredText.encode(reason),
          seen_at: seenAt,
          gone_at: null
        }
      })
    )
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

  const repaired: BadRecordTable["repaired"] = (operation, { from, to }) =>
    Effect.map(
      sql<Pick<Row, "at">>`SELECT DISTINCT at FROM bad_records
        WHERE operation = ${operation} AND at >= ${
        Day.dayOf(from)
      } AND at < ${to} AND timed IN (${timed.aside}, ${timed.note}) ORDER BY at`,
      (rows) => rows.map(({ at }) => ({ from: at, to: Day.dayOf(at) + Day.DAY }))
    )

  return { save, settle, repaired }
}
