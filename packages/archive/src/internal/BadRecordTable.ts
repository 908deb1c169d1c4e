/** Records that could not be read, as they came, in their table. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Lists from "./Lists.ts"
import * as StoredText from "./StoredText.ts"

interface Row {
  readonly id: string
  readonly raw: string
  readonly occurrences: number
  readonly source: string
  readonly path: string
  readonly reason: string
}

type Operation = Coverage.Coverage["operation"]

const sides = { deposits: "deposit", transfers: "transfer" } as const

const encoder = new TextEncoder()

/** Raw texts can be longer than what an index takes. */
const digest = (raw: string): Effect.Effect<string> =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, encoder.encode(JSON.stringify(raw)))).pipe(
    Effect.map(Hex.encode),
    Effect.provide(Digest.layerWebCrypto)
  )

export interface Filed {
  readonly at: number
  readonly isTold: boolean
}

interface Shown {
  readonly operation: Operation
  /** The number of the query that showed them. */
  readonly query: number
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  readonly seenAt: number
  /** The time to file a record under, Unix ms, and whether the record tells it itself. */
  readonly filed: (raw: string) => Filed
  /** A slice knows better than a page where a record belongs that tells no time. */
  readonly isSlice: boolean
}

export interface BadRecordTable {
  /** Keeps each text as often as one response showed it. Inside a transaction. */
  readonly save: (shown: Shown) => Effect.Effect<void, SqlError>
  /**
   * Marks what a complete reading of `[from, to)` did not show again. A record that tells no time may belong anywhere, and
   * stays. Inside a transaction.
   */
  readonly settle: (shown: Shown, interval: Coverage.Interval) => Effect.Effect<void, SqlError>
  readonly read: (
    operation: Operation,
    interval: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<BadRecord.BadRecord>, SqlError>
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

  const save = Effect.fnUntraced(function*({ bad, filed, isSlice, operation, query, seenAt }: Shown) {
    if (bad.length === 0) return
    const shown = yield* counted(bad)
    const known = yield* sql<Pick<Row, "id" | "occurrences">>`SELECT id, occurrences FROM bad_records
      WHERE operation = ${operation} AND query = ${query} AND ${Lists.within(sql, "id", [...shown.keys()])}`
    const occurrences = new Map(known.map((row) => [row.id, row.occurrences]))
    yield* Effect.forEach(shown, ([id, { count, record }]) => {
      const before = occurrences.get(id)
      const { path, raw, reason, source } = record
      const { at, isTold } = filed(raw)
      if (before !== undefined) {
        const place = isSlice ? sql`, at = CASE WHEN timed = 1 THEN at ELSE ${at} END` : sql.literal("")
        return sql`UPDATE bad_records SET occurrences = ${Math.max(before, count)}, gone_at = NULL${place}
          WHERE operation = ${operation} AND query = ${query} AND id = ${id}`
      }
      return sql`INSERT INTO bad_records ${
        sql.insert({
          operation,
          query,
          id,
          at,
          timed: isTold ? 1 : 0,
          raw: StoredText.encode(raw),
          occurrences: count,
          source: StoredText.encode(source),
          path: StoredText.encode(path),
          reason: StoredText.encode(reason),
          seen_at: seenAt,
          gone_at: null
        })
      }`
    }, { discard: true })
  })

  const settle = Effect.fnUntraced(
    function*({ bad, operation, query, seenAt }: Shown, { from, to }: Coverage.Interval) {
      const kept = yield* sql<Pick<Row, "id">>`SELECT id FROM bad_records
      WHERE operation = ${operation} AND query = ${query} AND at >= ${from} AND at < ${to}
          AND timed = 1 AND gone_at IS NULL`
      if (kept.length === 0) return
      const shown = yield* counted(bad)
      const gone = kept.filter(({ id }) => !shown.has(id)).map(({ id }) => id)
      if (gone.length === 0) return
      yield* sql`UPDATE bad_records SET gone_at = ${seenAt}
      WHERE operation = ${operation} AND query = ${query} AND ${Lists.within(sql, "id", gone)}`
    }
  )

  const read = (operation: Operation, { from, to }: Coverage.Interval) =>
    sql<Row>`SELECT id, raw, occurrences, source, path, reason FROM bad_records
      WHERE operation = ${operation} AND at >= ${from} AND at < ${to} AND gone_at IS NULL ORDER BY at, id`.pipe(
      Effect.map((rows) =>
        rows.flatMap((row) => {
          const { path, raw, reason, source } = row
          const record: BadRecord.BadRecord = {
            side: sides[operation],
            source: StoredText.decode(source),
            path: StoredText.decode(path),
            reason: StoredText.decode(reason),
            raw: StoredText.decode(raw)
          }
          return Array.from({ length: row.occurrences }, () => record)
        })
      )
    )

  return { save, settle, read }
}
