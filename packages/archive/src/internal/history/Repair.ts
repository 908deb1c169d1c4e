/** A repair finds rows of one operation that are not as they were written, and takes them out, so that they can be read again. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type * as ControlTable from "../coverage/ControlTable.ts"
import type * as CoverageTable from "../coverage/CoverageTable.ts"
import * as Day from "../coverage/Day.ts"
import * as Queries from "../coverage/Queries.ts"
import type * as BadRecordTable from "../records/BadRecordTable.ts"
import type * as RecordTable from "../records/RecordTable.ts"
import type * as VersionTable from "../records/VersionTable.ts"
import * as Audit from "./Audit.ts"
import type { Damage } from "./History.ts"

export interface Options {
  readonly place: string
  readonly sql: SqlClient.SqlClient
  readonly controls: ControlTable.ControlTable
  readonly queries: Queries.Queries
  readonly coverage: CoverageTable.CoverageTable
  readonly badRecords: BadRecordTable.BadRecordTable
}

const SAFE = Number.MAX_SAFE_INTEGER

/** About so many rows are checked at once. */
const BATCH = 4096

export const make = <Row extends RecordTable.Common>(
  { badRecords, controls, coverage, place, queries, sql }: Options,
  operation: Coverage.Coverage["operation"],
  audit: (interval: Coverage.Interval, most: number) => Effect.Effect<Audit.Page<Row>, SqlError>
) => {
  const bad = (reason: string, content: object): BadRecord.BadRecord => ({
    side: operation === "deposits" ? "deposit" : "transfer",
    source: place,
    path: "",
    reason,
    raw: JSON.stringify(content)
  })

  /** Makes a record that cannot be read of a row that is not as it was written, so that the row is not lost. */
  const asBad = (row: RecordTable.Common | VersionTable.Row | BadRecordTable.Row): BadRecord.BadRecord =>
    bad("the archive's row is not as it was written, its checksum differs", row)

  const damage = ({ altered, expected, found, from, to }: Audit.Audited): Damage => ({
    operation,
    from,
    to,
    expected: expected.records,
    found: found.records,
    altered
  })

  /**
   * Notes the loss of rows that no reading brings back: earlier versions, contents that contradicted a record, and records that
   * the service no longer shows.
   */
  const loss = (stretch: Audit.Audited): BadRecord.BadRecord =>
    bad("the archive lost rows of this time, and not all of them can be read again", damage(stretch))

  /** Divides a stretch into its days where no control totals divide it. Only days that hold a row are given. */
  const byDay = (page: Audit.Page<Row>, stretch: Audit.Audited): ReadonlyArray<Audit.Audited> => {
    if (stretch.to <= Day.dayOf(stretch.from) + Day.DAY) return [stretch]
    const rows = [...page.rows, ...page.versions, ...page.bad].filter(({ at }) => at >= stretch.from && at < stretch.to)
    return Array.from(Map.groupBy(rows, ({ at }) => Day.dayOf(at)), ([day, found]) => ({
      from: Math.max(stretch.from, day),
      to: Math.min(stretch.to, day + Day.DAY),
      expected: { records: 0, checksums: 0 },
      found: { records: found.length, checksums: found.reduce((sum, { checksum }) => sum + checksum, 0) },
      altered: found.filter((row) => page.altered.has(row)).length
    }))
  }

  /**
   * Repairs each damaged stretch of which the interval holds a part. The whole stretch is repaired, because its control totals
   * are of the whole. Damaged rows are taken out and kept as records that cannot be read, and a lasting note tells of the loss.
   * The control totals then count the rows that remain, and none of the time counts as complete any more. It runs inside a
   * transaction.
   */
  const take = Effect.fnUntraced(function*(page: Audit.Page<Row>, interval: Coverage.Interval) {
    const damaged = page.stretches.filter((stretch) =>
      Audit.isDamaged(stretch) && stretch.to > interval.from && stretch.from < interval.to
    )
    yield* takeAll(page, damaged.flatMap((one) => byDay(page, one)))
    return damaged
  })

  const takeAll = Effect.fnUntraced(function*(page: Audit.Page<Row>, stretches: ReadonlyArray<Audit.Audited>) {
    const known = yield* queries.all
    for (const stretch of stretches) {
      const { from, to } = stretch
      const isAltered = (row: { readonly at: number }) => row.at >= from && row.at < to && page.altered.has(row)
      const rows = page.rows.filter(isAltered)
      const [versions, bad] = [page.versions.filter(isAltered), page.bad.filter(isAltered)]
      for (const row of rows) yield* sql`DELETE FROM ${sql(operation)} WHERE at = ${row.at} AND id = ${row.id}`
      // A number beyond 2^53 is rounded when it is read, so it does not find its row; the checksum does.
      for (const { checksum, id, number } of versions) {
        yield* sql`DELETE FROM versions WHERE operation = ${operation} AND id = ${id}
          AND (number = ${number} OR (number > ${SAFE} AND checksum = ${checksum}))`
      }
      for (const { at, checksum, id, query } of bad) {
        yield* sql`DELETE FROM bad_records WHERE operation = ${operation} AND id = ${id} AND at = ${at}
          AND (query = ${query} OR (query > ${SAFE} AND checksum = ${checksum}))`
      }
      const queryOf = (row: object): number =>
        "query" in row && typeof row.query === "number" && known.has(row.query) ? row.query : Queries.EVERYTHING
      const setAside = Effect.fnUntraced(function*(
        query: number,
        time: "aside" | "note",
        bad: ReadonlyArray<BadRecord.BadRecord>
      ) {
        const filed = () => ({ from, to: from + 1, time })
        // A record that cannot be read may have been kept before, in another stretch.
        yield* controls.apply(operation, yield* badRecords.save({ operation, query, bad, seenAt: from, filed }))
      })
      for (const [query, altered] of Map.groupBy([...rows, ...versions, ...bad], queryOf)) {
        yield* setAside(query, "aside", altered.map(asBad))
      }
      yield* setAside(Queries.EVERYTHING, "note", [loss(stretch)])
      yield* coverage.withdraw(operation, { from, to })
      yield* controls.recount(operation, { from, to })
    }
  })

  /**
   * Takes out rows whose time lies beyond any stretch; they are missed in the control totals of the time that they had before.
   * It runs inside a transaction.
   */
  const takeBeyond = Effect.fnUntraced(function*(rows: ReadonlyArray<RecordTable.Common>) {
    for (const { id } of rows) {
      yield* sql`DELETE FROM ${sql(operation)} WHERE id = ${id} AND at >= ${SAFE}`
    }
    const filed = () => ({ from: 0, to: 1, time: "untold" as const })
    const bad = rows.map(asBad)
    const shown = { operation, query: Queries.EVERYTHING, bad, seenAt: 0, filed }
    yield* controls.apply(operation, yield* badRecords.save(shown))
  })

  const repairBeyond = Effect.suspend(() => sql<Row>`SELECT * FROM ${sql(operation)} WHERE at >= ${SAFE}`).pipe(
    Effect.flatMap((rows) => rows.length === 0 ? Effect.void : sql.withTransaction(takeBeyond(rows)))
  )

  /** Repairs the stretches in which rows of these times lie. It runs inside a transaction. */
  const takeAt = (times: ReadonlyArray<number>) =>
    Effect.forEach(new Set(times.filter((at) => at < SAFE)), (at) => {
      const moment = { from: at, to: at + 1 }
      return Effect.flatMap(audit(moment, 1), (page) => take(page, page))
    }, { discard: true })

  /** Repairs the stretches in which these rows lie. It runs inside a transaction. */
  const setAside = Effect.fnUntraced(function*(rows: ReadonlyArray<Row>) {
    yield* takeAt(rows.map(({ at }) => at))
    yield* takeBeyond(rows.filter(({ at }) => at >= SAFE))
  })

  /** Streams the whole stretches of `[from, to)` in turn. */
  const pages = ({ from, to }: Coverage.Interval) =>
    Stream.unfold(from, (at) =>
      at >= to
        ? Effect.undefined
        : Effect.map(audit({ from: at, to }, BATCH), (page) => [page, page.to] as const))

  const damages = (stretches: ReadonlyArray<Audit.Audited>): ReadonlyArray<Damage> =>
    stretches.filter(Audit.isDamaged).map(damage)

  const check = (interval: Coverage.Interval) =>
    pages(interval).pipe(
      Stream.flatMap((page) => Stream.fromIterable(damages(page.stretches))),
      Stream.runCollect
    )

  /**
   * Chooses stretches of about `most` rows, beginning with any of them. A day whose control totals were lost has no stretch
   * here; `repairOutdated` finds it, because its coverage does not fit them.
   */
  const some = Effect.fnUntraced(function*(interval: Coverage.Interval, most: number) {
    const stretches = yield* controls.read(operation, interval)
    const rows = stretches.reduce((sum, { records }) => sum + records, 0)
    if (rows <= most) return [interval]
    const first = yield* Random.nextIntBetween(0, stretches.length)
    let sum = 0
    return [...stretches.slice(first), ...stretches.slice(0, first)].filter(({ records }) => {
      const isLookedAt = sum < most
      sum += records
      return isLookedAt
    })
  })

  const repairRows = (interval: Coverage.Interval, most: number) =>
    Stream.fromIterableEffect(Effect.andThen(repairBeyond, some(interval, most))).pipe(
      Stream.flatMap(pages),
      Stream.filter((page) => damages(page.stretches).length > 0),
      Stream.mapEffect(({ from, to }) =>
        sql.withTransaction(
          Effect.flatMap(audit({ from, to }, BATCH), (page) => Effect.map(take(page, interval), damages))
        )
      ),
      Stream.flattenIterable,
      Stream.runCollect
    )

  /**
   * Repairs stretches whose coverage does not fit their control totals. Their rows and totals may be older than their coverage,
   * and everything that was written of them since is lost.
   */
  const repairOutdated = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    if ((yield* coverage.outdated(operation, interval)).length === 0) return []
    return yield* sql.withTransaction(Effect.gen(function*() {
      const stretches = (yield* coverage.outdated(operation, interval)).map(({ checksums, from, records, to }) => ({
        from,
        to,
        expected: { records, checksums },
        found: { records, checksums },
        altered: 0
      }))
      yield* takeAll(
        { ...interval, stretches, controls: [], rows: [], versions: [], bad: [], altered: new Set() },
        stretches
      )
      return stretches.map(damage)
    }))
  })

  const repair = Effect.fnUntraced(function*(interval: Coverage.Interval, most = Number.POSITIVE_INFINITY) {
    const damages = yield* repairRows(interval, most)
    return [...damages, ...yield* repairOutdated(interval)]
  })

  return { asBad, setAside, takeAt, check, repair }
}
