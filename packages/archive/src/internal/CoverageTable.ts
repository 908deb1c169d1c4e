/** What is known about completeness, in its table. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Covered } from "../Archive.ts"
import * as Checksum from "./Checksum.ts"
import * as ControlTable from "./ControlTable.ts"
import * as Damages from "./Damages.ts"
import * as Insert from "./Insert.ts"
import * as Moves from "./Moves.ts"
import * as Overlay from "./Overlay.ts"
import * as Queries from "./Queries.ts"
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
  readonly last_read: number
  readonly checksum: number
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
    vouched: row.vouched === 1,
    lastReadAt: row.last_read
  }
}

export interface CoverageTable {
  /** Lays parts of one operation and query, without overlaps, over what is known, and notes the reading with the control totals. Inside a transaction. */
  readonly lay: (
    operation: Coverage.Coverage["operation"],
    query: number,
    parts: ReadonlyArray<Overlay.Part>
  ) => Effect.Effect<void, SqlError>
  /** How many rows are not as they were written. */
  readonly altered: Effect.Effect<number, SqlError>
  /** The end of the last part, Unix ms. */
  readonly end: Effect.Effect<number | null, SqlError>
  /** Server time of the last reading of anything, Unix ms. */
  readonly lastReading: Effect.Effect<number | null, SqlError>
  /**
   * Takes back that anything of an operation in the interval is complete, of any query. Inside a transaction.
   */
  readonly withdraw: (
    operation: Coverage.Coverage["operation"],
    interval: Coverage.Interval
  ) => Effect.Effect<void, SqlError>
  /**
   * What is known of `[from, to)`, clipped, by operation, query and time. A row that was damaged says nothing, and what was
   * read later than the control totals know is not complete.
   */
  readonly read: (interval: Coverage.Interval) => Effect.Effect<ReadonlyArray<Covered>, SqlError>
}

/** The place of the first stretch that ends behind a time. */
const firstBehind = (stretches: ReadonlyArray<Coverage.Interval>, time: number): number => {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.to ?? time) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** When any part of an interval was read last, as the control totals have it, Unix ms; 0: never. */
const latestReading = Effect.fnUntraced(function*(
  controls: ControlTable.ControlTable,
  operation: Coverage.Coverage["operation"],
  rows: ReadonlyArray<Row>
) {
  const mine = rows.filter((row) => row.operation === operation)
  const from = mine.reduce((least, row) => Math.min(least, row.from_ms), Number.POSITIVE_INFINITY)
  const to = mine.reduce((most, row) => Math.max(most, row.to_ms), Number.NEGATIVE_INFINITY)
  const stretches = yield* controls.read(operation, { from, to })
  return (part: Coverage.Interval): number => {
    let latest = part.to <= ControlTable.FIRST ? Number.POSITIVE_INFINITY : 0
    for (let index = firstBehind(stretches, part.from); index < stretches.length; index++) {
      const stretch = stretches[index]
      if (stretch === undefined || stretch.from >= part.to) break
      latest = Math.max(latest, stretch.readAt)
    }
    return latest
  }
})

const COLUMNS = [
  "operation",
  "query",
  "from_ms",
  "to_ms",
  "read_at",
  "last_read",
  "state",
  "gap_code",
  "gap_detail",
  "vouched"
]

export const make = (
  sql: SqlClient.SqlClient,
  queries: Queries.Queries,
  controls: ControlTable.ControlTable
): CoverageTable => {
  const all = sql.literal([...COLUMNS, "checksum"].join(", "))
  const insert = Insert.into(sql, "coverage", [...COLUMNS, "checksum"])
  const moves = Moves.make(sql)

  const write = (operation: Coverage.Coverage["operation"], query: number, parts: ReadonlyArray<Overlay.Part>) =>
    insert(parts.map(({ from, gap, lastReadAt, readAt, state, to, vouched }) => {
      const code = gap?.code ?? null
      const detail = gap === undefined ? null : StoredText.encode(gap.detail)
      const row = [operation, query, from, to, readAt, lastReadAt, state, code, detail, vouched ? 1 : 0]
      return [...row, Checksum.of(row)]
    }))

  const lay = Effect.fnUntraced(function*(
    operation: Coverage.Coverage["operation"],
    query: number,
    parts: ReadonlyArray<Overlay.Part>
  ) {
    if (parts.length === 0) return
    const complete = parts.filter(({ state }) => state === "complete")
    yield* Effect.forEach(complete, (part) => controls.reached(operation, part, part.readAt), { discard: true })
    const from = Math.min(...parts.map(({ from }) => from))
    const to = Math.max(...parts.map(({ to }) => to))
    /** With the neighbours that only touch, so that they can be joined. */
    const near = sql`operation = ${operation} AND query = ${query} AND from_ms <= ${to} AND to_ms >= ${from}`
    const rows = yield* sql<Row>`SELECT ${all} FROM coverage WHERE ${near} ORDER BY from_ms`
    const known = rows.filter(Checksum.holds).map(part)
    const next = Overlay.overlay(known, parts)
    if (rows.length === known.length && JSON.stringify(next) === JSON.stringify(known)) return
    yield* sql`DELETE FROM coverage WHERE ${near}`
    yield* write(operation, query, next)
  })

  const withdraw: CoverageTable["withdraw"] = Effect.fnUntraced(function*(operation, { from, to }) {
    yield* moves.raise
    const near = sql`operation = ${operation} AND from_ms < ${to} AND to_ms > ${from}`
    const rows = (yield* sql<Row>`SELECT ${all} FROM coverage WHERE ${near}`).filter(Checksum.holds)
    yield* sql`DELETE FROM coverage WHERE ${near}`
    for (const [query, known] of Map.groupBy(rows, ({ query }) => query)) {
      yield* write(operation, query, Overlay.withdrawn(known.map(part), { from, to }, Damages.GAP))
    }
  })

  const read = Effect.fnUntraced(function*({ from, to }: Coverage.Interval) {
    const asked = yield* queries.all
    const found = yield* sql<Row>`SELECT ${all} FROM coverage WHERE from_ms < ${to} AND to_ms > ${from}
      ORDER BY operation, query, from_ms`
    // A query that is not there any more must not look like everything.
    const rows = found.filter((row) =>
      Checksum.holds(row) && (row.query === Queries.EVERYTHING || asked.has(row.query))
    )
    const latest = {
      deposits: yield* latestReading(controls, "deposits", rows),
      transfers: yield* latestReading(controls, "transfers", rows)
    }
    return rows.map((row): Covered => {
      const query = asked.get(row.query)
      const { lastReadAt, ...known } = part(row)
      const isKnown = known.state !== "complete" || lastReadAt <= latest[row.operation](known)
      return Object.assign(
        isKnown ? known : { ...known, state: "incomplete" as const, gap: Damages.GAP, vouched: false },
        { operation: row.operation },
        query === undefined ? {} : { query },
        { from: Math.max(known.from, from), to: Math.min(known.to, to) }
      )
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

  const altered = Effect.map(
    sql<Row>`SELECT ${all} FROM coverage`,
    (rows) => rows.filter((row) => !Checksum.holds(row)).length
  )

  return { lay, withdraw, altered, end, lastReading, read }
}
