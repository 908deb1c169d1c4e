/** The table `coverage` keeps what is known about completeness. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Struct from "effect/Struct"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as ControlTable from "./ControlTable.ts"
import * as CoverageRow from "./CoverageRow.ts"
import * as CoverageUpdate from "./CoverageUpdate.ts"
import type { Covered } from "./Covered.ts"
import * as Damages from "./Damages.ts"
import * as Moves from "./Moves.ts"
import * as Queries from "./Queries.ts"

const gap = Schema.decodeUnknownOption(Coverage.Gap)

const part = (row: CoverageRow.CoverageRow): CoverageUpdate.Part => {
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

/** Divides a stretch that no control totals divide into those of its days of which anything is known. */
const byDay = (
  stretch: ControlTable.Control,
  rows: ReadonlyArray<CoverageRow.CoverageRow>
): ReadonlyArray<ControlTable.Control> => {
  if (stretch.to <= ControlTable.days({ from: stretch.from, to: stretch.from + 1 }).to) return [stretch]
  const found = new Set<number>()
  for (const { from_ms, to_ms } of rows) {
    const to = Math.min(to_ms, stretch.to)
    let at = Math.max(from_ms, stretch.from)
    while (at < to) {
      const day = ControlTable.days({ from: at, to: at + 1 })
      found.add(day.from)
      at = day.to
    }
  }
  return Array.from(found).toSorted((a, b) => a - b).map((from) =>
    Object.assign({}, stretch, ControlTable.days({ from, to: from + 1 }))
  )
}

/** Leaves out parts that overlap an earlier one, because no single state of an archive has any. `parts` are in order of time. */
const apart = (parts: ReadonlyArray<CoverageUpdate.Part>): ReadonlyArray<CoverageUpdate.Part> => {
  let end = Number.NEGATIVE_INFINITY
  return parts.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })
}

interface Known {
  readonly parts: ReadonlyArray<Covered>
  readonly stretches: Readonly<Record<Coverage.Coverage["operation"], ReadonlyArray<ControlTable.Control>>>
}

/** Makes gaps where coverage is known to be lost and no part speaks of it. */
const forgotten = (
  parts: ReadonlyArray<Coverage.Interval>,
  lost: ReadonlyArray<Coverage.Interval>
): ReadonlyArray<CoverageUpdate.Part> =>
  Timeline.subtract(lost, parts).map(({ from, to }): CoverageUpdate.Part => ({
    from,
    to,
    readAt: 0,
    lastReadAt: 0,
    state: "incomplete",
    gap: Damages.GAP,
    vouched: false
  }))

export interface CoverageTable {
  /** Lays parts of queries over what is known; those of a query have no overlaps. It runs inside a transaction. */
  readonly lay: (
    operation: Coverage.Coverage["operation"],
    queries: ReadonlyMap<number, ReadonlyArray<CoverageUpdate.Part>>
  ) => Effect.Effect<void, SqlError>
  /** So many rows are not as they were written. */
  readonly altered: Effect.Effect<number, SqlError>
  /** Gives the beginning of the first complete part of an operation, Unix ms. */
  readonly begin: (operation: Coverage.Coverage["operation"]) => Effect.Effect<number | null, SqlError>
  /** The last part ends at this time, Unix ms. */
  readonly end: Effect.Effect<number | null, SqlError>
  /** Something was read last at this server time, Unix ms. */
  readonly lastReading: Effect.Effect<number | null, SqlError>
  /**
   * Takes back that anything of an operation in the interval is complete, for every query, because rows of it were lost. It
   * runs inside a transaction.
   */
  readonly withdraw: (
    operation: Coverage.Coverage["operation"],
    interval: Coverage.Interval
  ) => Effect.Effect<void, SqlError>
  /**
   * Gives the server time of the last reading that was not later than `now` (Unix ms, 0 where there is none), and tells whether any
   * was later. A person's word is no reading.
   */
  readonly readings: (now: number) => Effect.Effect<{ readonly last: number; readonly isAhead: boolean }, SqlError>
  /**
   * Takes back that anything of an operation from `from` on is complete, for every query; `gap` says why. What a person vouched for
   * is taken back behind `now` only (Unix ms). No reading is later than `now` any more, but of what ends between `now` and `from`.
   * Gives the time of which anything was taken back. It runs inside a transaction.
   */
  readonly withdrawAhead: (
    operation: Coverage.Coverage["operation"],
    ahead: { readonly now: number; readonly from: number; readonly gap: Coverage.Gap }
  ) => Effect.Effect<ReadonlyArray<Coverage.Interval>, SqlError>
  /** Gives the stretches of which the interval holds a part and whose control totals tell of other coverage than there is. */
  readonly outdated: (
    operation: Coverage.Coverage["operation"],
    interval: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<ControlTable.Control>, SqlError>
  /**
   * Gives what is known of `[from, to)`, clipped, by operation, query and time, with the stretches that it was held against. A
   * damaged row says nothing, and nothing is complete in a stretch whose control totals tell of other coverage.
   */
  readonly known: (interval: Coverage.Interval) => Effect.Effect<Known, SqlError>
}

export const make = (
  sql: SqlClient.SqlClient,
  queries: Queries.Queries,
  controls: ControlTable.ControlTable
): CoverageTable => {
  const all = sql.literal([...CoverageRow.COLUMNS, "checksum"].join(", "))
  // Rows of two states of an archive may overlap, so that where a row is divided another may begin already.
  const insert = Insert.into(sql, "coverage", [...CoverageRow.COLUMNS, "checksum"], CoverageRow.KEY)
  const moves = Moves.make(sql)

  type Operation = Coverage.Coverage["operation"]

  /** Lays out the row of a part. */
  const rowOf =
    (operation: Operation, query: number) =>
    ({ from, gap, lastReadAt, readAt, state, to, vouched }: CoverageUpdate.Part): CoverageRow.Fields => ({
      operation,
      query,
      from_ms: from,
      to_ms: to,
      read_at: readAt,
      last_read: lastReadAt,
      state,
      gap_code: gap?.code ?? null,
      gap_detail: gap === undefined ? null : StoredText.encode(gap.detail),
      vouched: vouched ? 1 : 0
    })

  /** Writes rows in place of others, which are deleted already, and changes the control totals as well. */
  const replace = Effect.fnUntraced(function*(
    operation: Operation,
    gone: ReadonlyArray<CoverageRow.CoverageRow>,
    come: ReadonlyArray<CoverageRow.Fields>
  ) {
    yield* insert(come.map((row) => {
      const values = CoverageRow.COLUMNS.map((column) => row[column])
      return [...values, Checksum.of(values)]
    }))
    yield* controls.claim(operation, gone, come)
  })

  const lay: CoverageTable["lay"] = Effect.fnUntraced(function*(operation, queries) {
    const laid = Array.from(queries.values()).flat()
    if (laid.length === 0) return
    const from = laid.reduce((least, part) => Math.min(least, part.from), Number.POSITIVE_INFINITY)
    const to = laid.reduce((most, part) => Math.max(most, part.to), Number.NEGATIVE_INFINITY)
    /** Neighbours that only touch are included, so that they can be joined. */
    const near = (numbers: Iterable<number>) =>
      sql`operation = ${operation} AND ${
        InList.of(sql, "query", [...numbers])
      } AND from_ms <= ${to} AND to_ms >= ${from}`
    const rows = Map.groupBy(
      yield* sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage WHERE ${near(queries.keys())} ORDER BY from_ms`,
      ({ query }) => query
    )
    const changes = Array.from(queries).flatMap(([query, parts]) => {
      const found = rows.get(query) ?? []
      const sound = found.filter(Checksum.holds)
      const known = apart(sound.map(part))
      const next = CoverageUpdate.overlay(known, parts)
      const isSame = found.length === known.length && JSON.stringify(next) === JSON.stringify(known)
      return isSame ? [] : [{ query, gone: sound, come: next.map(rowOf(operation, query)) }]
    })
    if (changes.length === 0) return
    yield* sql`DELETE FROM coverage WHERE ${near(changes.map(({ query }) => query))}`
    yield* replace(operation, changes.flatMap(({ gone }) => gone), changes.flatMap(({ come }) => come))
  })

  const withdraw: CoverageTable["withdraw"] = Effect.fnUntraced(function*(operation, { from, to }) {
    yield* moves.raise
    const near = sql`operation = ${operation} AND from_ms < ${to} AND to_ms > ${from}`
    const rows = (yield* sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage WHERE ${near} ORDER BY from_ms`)
      .filter(
        Checksum.holds
      )
    yield* sql`DELETE FROM coverage WHERE ${near}`
    const come = Array.from(Map.groupBy(rows, ({ query }) => query)).flatMap(([query, known]) =>
      CoverageUpdate.withdrawn(apart(known.map(part)), { from, to }, Damages.LOST).map(rowOf(operation, query))
    )
    yield* replace(operation, rows, come)
  })

  const readings: CoverageTable["readings"] = (now) =>
    Effect.map(sound, (rows) => {
      const times = rows.filter(({ vouched }) => vouched === 0).flatMap((
        { last_read, read_at }
      ) => [last_read, read_at])
      return {
        last: times.reduce((latest, at) => at <= now ? Math.max(latest, at) : latest, 0),
        isAhead: times.some((at) => at > now)
      }
    })

  const withdrawAhead: CoverageTable["withdrawAhead"] = Effect.fnUntraced(function*(operation, { from, gap, now }) {
    const near = sql`operation = ${operation} AND (to_ms > ${from} OR read_at > ${now} OR last_read > ${now})`
    const rows = (yield* sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage WHERE ${near} ORDER BY from_ms`)
      .filter(Checksum.holds)
    if (rows.length === 0) return []
    yield* moves.raise
    yield* sql`DELETE FROM coverage WHERE ${near}`
    /** A person may vouch for what was past, whatever a clock said then. */
    const later = ({ vouched }: CoverageUpdate.Part) => ({
      from: vouched ? Math.max(now, from) : from,
      to: Number.MAX_SAFE_INTEGER
    })
    const taken = rows.map(part).filter(({ state }) => state === "complete")
      .flatMap((one) => Timeline.clip([one], later(one)))
    /** Where `from` lies behind `now`, what ends between them was past when it was read: `now` may be the wrong time. */
    const past = (one: CoverageUpdate.Part): CoverageUpdate.Part =>
      one.to > now && one.to <= from
        ? one
        : { ...one, readAt: Math.min(one.readAt, now), lastReadAt: Math.min(one.lastReadAt, now) }
    const come = Array.from(Map.groupBy(rows, ({ query }) => query)).flatMap(([query, known]) =>
      apart(known.map(part))
        .flatMap((one) => CoverageUpdate.withdrawn([one], later(one), one.vouched ? Damages.VOUCHED_AHEAD : gap))
        .map(past).map(rowOf(operation, query))
    )
    yield* replace(operation, rows, come)
    return Timeline.union(taken).map(({ from, to }) => ({ from, to }))
  })

  /** Reads rows of whole days, so that they can be held against control totals. */
  const ofDays = (interval: Coverage.Interval) => {
    const { from, to } = ControlTable.days(interval)
    return Effect.map(
      sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage WHERE from_ms < ${to} AND to_ms > ${from}
        ORDER BY operation, query, from_ms`,
      (rows) => rows.filter(Checksum.holds)
    )
  }

  const outdated: CoverageTable["outdated"] = Effect.fnUntraced(function*(operation, interval) {
    const rows = (yield* ofDays(interval)).filter((row) => row.operation === operation)
    const found = yield* controls.held(operation, interval, rows)
    return found.filter(({ isOutdated }) => isOutdated).flatMap((stretch) => byDay(stretch, rows))
      .filter((stretch) => Timeline.overlaps(stretch, interval))
  })

  const attempt = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    const asked = yield* queries.all
    const rows = yield* ofDays(interval)
    const held = (operation: Operation) =>
      controls.held(operation, interval, rows.filter((row) => row.operation === operation))
    const stretches = { deposits: yield* held("deposits"), transfers: yield* held("transfers") }
    const outdated = (operation: Operation) =>
      stretches[operation].filter(({ isOutdated }) => isOutdated)
        .flatMap((stretch) => byDay(stretch, rows.filter((row) => row.operation === operation)))
    // A query that is no longer there must not look like all queries, and it may have been about any account.
    const isKnown = ({ query }: CoverageRow.CoverageRow): boolean => query === Queries.EVERYTHING || asked.has(query)
    const [known, strange] = [rows.filter(isKnown), rows.filter((row) => !isKnown(row))]
    const unasked = strange.map(({ from_ms, to_ms }) => ({ from: from_ms, to: to_ms }))
    const damaged = {
      deposits: outdated("deposits").map(Damages.of(Damages.GAP)),
      transfers: [...outdated("transfers"), ...unasked].map(Damages.of(Damages.GAP))
    }
    const parts = (operation: Operation, number: number, own: ReadonlyArray<CoverageRow.CoverageRow>) => {
      const query = asked.get(number)
      const about = Object.assign({ operation }, query === undefined ? {} : { query })
      const told = Damages.withGaps(own.map((row) => Object.assign({}, about, part(row))), damaged[operation])
      return [...told, ...forgotten(told, damaged[operation]).map((part) => Object.assign(part, about))]
        .toSorted((a, b) => a.from - b.from)
    }
    const scopes = (operation: Operation) => {
      const own = Map.groupBy(known.filter((row) => row.operation === operation), ({ query }) => query)
      const isAnyLost = damaged[operation].length > 0
      const every = new Set(operation === "deposits" || asked.size === 0 ? [Queries.EVERYTHING] : asked.keys())
      return [...new Set([Queries.EVERYTHING, ...asked.keys()])]
        .filter((query) => own.has(query) || (isAnyLost && every.has(query)))
        .flatMap((query) => parts(operation, query, own.get(query) ?? []))
    }
    const clipped = Timeline.clip([...scopes("deposits"), ...scopes("transfers")], interval)
      .map((part): Covered =>
        Object.assign(Struct.omit(part, ["lastReadAt"]), { vouched: part.vouched && part.state === "complete" })
      )
    return { parts: clipped, stretches, isSound: damaged.deposits.length + damaged.transfers.length === 0 }
  })

  const known = (interval: Coverage.Interval) =>
    attempt(interval).pipe(
      // Another process may have written between the statements.
      Effect.flatMap((found) => found.isSound ? Effect.succeed(found) : sql.withTransaction(attempt(interval)))
    )

  const sound = Effect.map(
    sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage`,
    (rows) => rows.filter(Checksum.holds)
  )
  const begin: CoverageTable["begin"] = (operation) =>
    Effect.map(
      sql<{ readonly begin: number | null }>`SELECT MIN(from_ms) AS begin FROM coverage
        WHERE operation = ${operation} AND state = 'complete'`,
      ([row]) => row?.begin ?? null
    )
  /** The table has a row for each query and reading, so that it is only read whole where its last row is damaged. */
  const last = Effect.fnUntraced(function*(column: "read_at" | "to_ms") {
    const [row] = yield* sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage ORDER BY ${sql(column)} DESC LIMIT 1`
    const rows = row === undefined ? [] : Checksum.holds(row) ? [row] : yield* sound
    return rows.reduce<number | null>((most, row) => Math.max(most ?? row[column], row[column]), null)
  })

  const altered = Effect.map(
    sql<CoverageRow.CoverageRow>`SELECT ${all} FROM coverage`,
    (rows) => rows.filter((row) => !Checksum.holds(row)).length
  )

  return {
    lay,
    withdraw,
    readings,
    withdrawAhead,
    outdated,
    altered,
    begin,
    end: last("to_ms"),
    lastReading: last("read_at"),
    known
  }
}
