/** What is known about completeness, in its table. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Covered } from "../Archive.ts"
import * as Overlay from "./Overlay.ts"
import type * as Queries from "./Queries.ts"
import * as StoredText from "./StoredText.ts"

interface Row {
  readonly operation: Coverage.Coverage["operation"]
  readonly query: number
  readonly from_ms: number
  readonly to_ms: number
  readonly read_at: number
  readonly state: Coverage.Coverage["state"]
  readonly gap_code: string | null
  readonly gap_detail: string | null
  readonly vouched: number
}

const gap = Schema.decodeUnknownOption(Coverage.Gap)

const part = (row: Row): Overlay.Part => {
  const reason = gap({
    code: row.gap_code,
    detail: row.gap_detail === null ? null : StoredText.decode(row.gap_detail)
  })
  return {
    from: row.from_ms,
    to: row.to_ms,
    readAt: row.read_at,
    state: row.state,
    ...(Option.isNone(reason) ? {} : { gap: reason.value }),
    vouched: row.vouched === 1
  }
}

export interface CoverageTable {
  /** Lays parts of one operation and query, without overlaps, over what is known. Inside a transaction. */
  readonly lay: (
    operation: Coverage.Coverage["operation"],
    query: number,
    parts: ReadonlyArray<Overlay.Part>
  ) => Effect.Effect<void, SqlError>
  /** The end of the last part, Unix ms. */
  readonly end: Effect.Effect<number | null, SqlError>
  /** Server time of the last reading of anything, Unix ms. */
  readonly lastReading: Effect.Effect<number | null, SqlError>
  /** What is known of `[from, to)`, clipped, by operation, query and time. */
  readonly read: (interval: Coverage.Interval) => Effect.Effect<ReadonlyArray<Covered>, SqlError>
}

export const make = (sql: SqlClient.SqlClient, queries: Queries.Queries): CoverageTable => {
  const lay = Effect.fnUntraced(function*(
    operation: Coverage.Coverage["operation"],
    query: number,
    parts: ReadonlyArray<Overlay.Part>
  ) {
    if (parts.length === 0) return
    const from = Math.min(...parts.map(({ from }) => from))
    const to = Math.max(...parts.map(({ to }) => to))
    /** With the neighbours that only touch, so that they can be joined. */
    const near = sql`operation = ${operation} AND query = ${query} AND from_ms <= ${to} AND to_ms >= ${from}`
    const known = (yield* sql<Row>`SELECT * FROM coverage WHERE ${near} ORDER BY from_ms`).map(part)
    const next = Overlay.overlay(known, parts)
    if (JSON.stringify(next) === JSON.stringify(known)) return
    yield* sql`DELETE FROM coverage WHERE ${near}`
    yield* Effect.forEach(next, ({ from, gap, readAt, state, to, vouched }) =>
      sql`INSERT INTO coverage ${
        sql.insert({
          operation,
          query,
          from_ms: from,
          to_ms: to,
          read_at: readAt,
          state,
          gap_code: gap?.code ?? null,
          gap_detail: gap === undefined ? null : StoredText.encode(gap.detail),
          vouched: vouched ? 1 : 0
        })
      }`, { discard: true })
  })

  const read = Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const asked = yield* queries.all
    const rows = yield* sql<Row>`SELECT * FROM coverage WHERE from_ms < ${to} AND to_ms > ${from}
      ORDER BY operation, query, from_ms`
    return rows.map((row): Covered => {
      const query = asked.get(row.query)
      const known = part(row)
      return Object.assign(known, { operation: row.operation }, query === undefined ? {} : { query }, {
        from: Math.max(known.from, from),
        to: Math.min(known.to, to)
      })
    })
  })

  const end = Effect.map(
    sql<{ readonly last: number | null }>`SELECT MAX(to_ms) AS last FROM coverage`,
    ([row]) => row?.last ?? null
  )
  const lastReading = Effect.map(
    sql<{ readonly last: number | null }>`SELECT MAX(read_at) AS last FROM coverage`,
    ([row]) => row?.last ?? null
  )

  return { lay, end, lastReading, read }
}
