/** A store keeps the records of one operation in SQL, and merges new records with those that are kept. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as ArchiveError from "../../ArchiveError.ts"
import type * as ControlTable from "../coverage/ControlTable.ts"
import type * as CoverageTable from "../coverage/CoverageTable.ts"
import * as CoverageUpdate from "../coverage/CoverageUpdate.ts"
import * as Moves from "../coverage/Moves.ts"
import * as Queries from "../coverage/Queries.ts"
import * as Weight from "../coverage/Weight.ts"
import type * as BadRecordTable from "../records/BadRecordTable.ts"
import * as Merge from "../records/Merge.ts"
import * as RecordTable from "../records/RecordTable.ts"
import * as Untimed from "../records/Untimed.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as AssetSlices from "./AssetSlices.ts"
import * as Audit from "./Audit.ts"
import * as Disputes from "./Disputes.ts"
import type { Change, History } from "./History.ts"
import * as HistorySlices from "./HistorySlices.ts"
import * as Inventory from "./Inventory.ts"
import * as RecordReader from "./RecordReader.ts"
import * as Repair from "./Repair.ts"

export interface Options {
  readonly place: string
  readonly sql: SqlClient.SqlClient
  readonly controls: ControlTable.ControlTable
  readonly error: (error: SqlError) => ArchiveError.DatabaseError
  readonly queries: Queries.Queries
  readonly coverage: CoverageTable.CoverageTable
  readonly badRecords: BadRecordTable.BadRecordTable
}

/** Ends complete coverage at the time of its reading, because a reading proves nothing of later time. */
const happened = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Coverage.Coverage> =>
  coverage.flatMap((part) =>
    part.state === "complete" && part.to > part.readAt
      ? Coverage.clip([part], { from: part.from, to: part.readAt })
      : [part]
  )

export const make = <Record, Row extends RecordTable.Common>(
  table: RecordTable.RecordTable<Record, Row>,
  { badRecords, controls, coverage, error, place, queries, sql }: Options
): History<Record> => {
  const { operation } = table
  const name = sql(operation)

  const stored = RecordTable.stored(table)
  const columns = RecordTable.columns(table)
  const all = sql.literal(columns.join(", "))

  /** Lays out the row of a record. An addition has the `id` and the `history` that were found for it. */
  const checked = (stored: Merge.Stored<Record>, id = stored.id, history = stored.history) => {
    const { lastSeenAt, query, record, seenAt, vanishedAt } = stored
    const at = table.at(record)
    const imported = stored.imported ? 1 : 0
    const row = [at, StoredText.encode(id), ...table.values(record)]
    row.push(query, seenAt, lastSeenAt ?? null, imported, vanishedAt, history)
    const checksum = Checksum.of(row)
    row.push(checksum)
    const weight = Weight.of({ at, seen_at: seenAt, imported, history, checksum })
    return { at, weight, row }
  }
  const insertRows = Insert.into(sql, operation, columns)
  const audit = Audit.make<Row>({ sql, controls }, operation, columns)
  const versions = VersionTable.make(sql, table)
  const moves = Moves.make(sql)

  const repair = Repair.make<Row>({ badRecords, controls, coverage, place, queries, sql }, operation, audit)

  /**
   * Gives the rows that hold what was written. Damaged rows are set aside before anything is compared with them. It runs inside
   * a transaction.
   */
  const sound = (select: Effect.Effect<ReadonlyArray<Row>, SqlError>) =>
    Effect.flatMap(select, (rows) => {
      const damaged = rows.filter((row) => !Checksum.holds(row))
      return damaged.length === 0
        ? Effect.succeed(rows.map(stored))
        : Effect.as(repair.setAside(damaged), rows.filter(Checksum.holds).map(stored))
    })

  /** Reads the kept records that share an identity with one of `records`. */
  const known = (records: ReadonlyArray<Record>) =>
    records.length === 0
      ? Effect.succeed<ReadonlyArray<Merge.Stored<Record>>>([])
      : sound(
        sql<Row>`SELECT ${all} FROM ${name} WHERE ${InList.of(sql, table.key.column, records.map(table.key.of))}`
      )

  const within = ({ from, to }: Coverage.Interval) =>
    sound(sql<Row>`SELECT ${all} FROM ${name} WHERE at >= ${from} AND at < ${to}`)

  const remove = (rows: ReadonlyArray<{ readonly at: number; readonly id: string }>) => {
    const times = rows.map(({ at }) => at).toSorted((a, b) => a - b)
    return sql`DELETE FROM ${name} WHERE at >= ${times[0] ?? 0} AND at <= ${times.at(-1) ?? 0} AND ${
      InList.of(sql, "id", rows.map(({ id }) => id))
    }`
  }

  const write = Effect.fnUntraced(function*(
    rows: ReadonlyArray<Merge.Stored<Record>>,
    { added, changed, past, returned, updated, vanished }: Merge.Plan<Record>
  ) {
    const before = new Map(updated.length === 0 ? [] : rows.map((row) => [row.id, row]))
    const gone = updated.map(({ id }) => before.get(id)).filter((row) => row !== undefined).map((row) => checked(row))
    // A transfer's own time changes where the service corrects a file.
    if (gone.length > 0) yield* remove(gone.map(({ at, row }) => ({ at, id: String(row[1]) })))
    const timeOf = (row: Merge.Stored<Record> | undefined) => row === undefined ? undefined : table.at(row.record)
    if (updated.some((row) => timeOf(before.get(row.id)) !== timeOf(row))) yield* moves.raise
    const taken = new Set(added.length === 0 ? [] : rows.map(({ id }) => id))
    /** Gives a free id. Where an earlier one of several twins was taken out, the next one gets its number. */
    const free = (row: Merge.Addition<Record>): string => {
      let id = table.id(row)
      for (let ordinal = 1; taken.has(id) && ordinal <= taken.size; ordinal++) id = table.id({ ...row, ordinal })
      taken.add(id)
      return id
    }
    const ids = added.map(free)
    // Where a record was lost and is shown again, its versions are still there.
    const left = yield* versions.counts(ids)
    const fresh = added.map((row, index) => {
      const id = ids[index] ?? row.id
      return checked(row, id, row.history + (left.get(id) ?? 0))
    })
    const come = [...fresh, ...updated.map((row) => checked(row))]
    yield* insertRows(come.map(({ row }) => row))
    yield* controls.apply(operation, [
      ...gone.map(({ at, weight }) => ({ at, records: -1, checksums: -weight })),
      ...come.map(({ at, weight }) => ({ at, records: 1, checksums: weight })),
      ...(yield* versions.insert(past))
    ])
    return { added: added.length, changed, vanished, returned } satisfies Change
  })

  const merge = Effect.fnUntraced(function*(rows: ReadonlyArray<Merge.Stored<Record>>, shown: Merge.Shown<Record>) {
    return yield* write(rows, Merge.plan(table, rows, yield* versions.of(rows), shown))
  })

  const transaction = <A>(effect: Effect.Effect<A, SqlError>): Effect.Effect<A, ArchiveError.DatabaseError> =>
    Effect.mapError(sql.withTransaction(effect), error)

  /** Files a record that cannot be read: the time that it tells counts where it lies in the interval, and so may be true. */
  const filed = (interval: Coverage.Interval, readAt: number) => (raw: string): BadRecordTable.Filed => {
    const told = table.badTime(raw)
    return told !== undefined && told >= interval.from && told < interval.to
      ? { from: told, to: told + 1, time: "told" }
      : { ...Untimed.shown(interval, readAt), time: "untold" }
  }

  /** Takes out damaged rows before records that cannot be read are compared with them. It runs inside a transaction. */
  const takeAltered = (interval: Coverage.Interval) =>
    Effect.flatMap(badRecords.altered(operation, interval), (rows) => repair.takeAt(rows.map(({ at }) => at)))

  const savePage: History<Record>["savePage"] = (page, query) =>
    transaction(Effect.gen(function*() {
      const { bad, readAt, records } = page
      const number = yield* queries.number(query)
      const change = yield* merge(yield* known(records), { records, seenAt: readAt, imported: false, query: number })
      if (bad.length > 0) {
        const asked = page.asked ?? Untimed.anywhere(readAt)
        yield* takeAltered(asked)
        const shown = { operation, query: number, bad, seenAt: readAt, filed: filed(asked, readAt) }
        yield* controls.apply(operation, yield* badRecords.save(shown))
      }
      return change
    }))

  const saveSlice: History<Record>["saveSlice"] = (slice, query) =>
    transaction(Effect.gen(function*() {
      const number = yield* queries.number(query)
      const complete = slice.coverage.filter(({ state }) => state === "complete")
      // A slice without coverage does not say when it was read, so the present time counts.
      const readAt = slice.coverage.length === 0
        ? yield* Clock.currentTimeMillis
        : Math.min(...slice.coverage.map((part) => part.readAt))
      const near = complete.length === 0 ? [] : yield* within(slice)
      const identities = new Set(near.map(({ record }) => table.identity(record)))
      const others = yield* known(slice.records.filter((record) => !identities.has(table.identity(record))))
      const rows = new Map([...near, ...others].map((row) => [row.id, row]))
      const change = yield* merge([...rows.values()], {
        records: slice.records,
        seenAt: readAt,
        imported: false,
        query: number,
        completeAt: (time) => complete.find(({ from, to }) => from <= time && time < to)?.readAt
      })
      const shown = { operation, query: number, bad: slice.bad, seenAt: readAt, filed: filed(slice, readAt) }
      if (complete.length + slice.bad.length > 0) yield* takeAltered(slice)
      yield* controls.apply(operation, yield* badRecords.save(shown))
      for (const part of complete) yield* controls.apply(operation, yield* badRecords.settle(shown, part))
      yield* coverage.lay(operation, new Map([[number, happened(slice.coverage).map(CoverageUpdate.proven)]]))
      return change
    }))

  const saveGaps: History<Record>["saveGaps"] = (gaps) =>
    transaction(Effect.gen(function*() {
      const scopes = Array.from(Map.groupBy(gaps, ({ query }) => Coverage.keyOf(query)).values())
      const numbers = yield* queries.numbers(scopes.map(([gap]) => gap?.query))
      const parts = scopes.map((own, index) =>
        [numbers[index] ?? Queries.EVERYTHING, own.map(CoverageUpdate.proven)] as const
      )
      yield* coverage.lay(operation, new Map(parts))
    }))

  const importRecords: History<Record>["importRecords"] = (records, seenAt) =>
    transaction(Effect.gen(function*() {
      return yield* merge(yield* known(records), { records, seenAt, imported: true, query: Queries.EVERYTHING })
    }))

  const disputes = Disputes.make(sql, table)
  const records = RecordReader.make(table, { sql, versions })
  const slices = HistorySlices.make(table, {
    asBad: repair.asBad,
    audit,
    badRecords,
    coverage,
    error,
    moves,
    place,
    records,
    sql,
    versions
  })

  return {
    savePage,
    saveSlice,
    saveGaps,
    importRecords,
    slices,
    ofAssets: AssetSlices.make(table, { error, records, sql, versions }),
    named: (names) => Effect.mapError(records.named(names), error),
    check: (interval) => Effect.mapError(repair.check(interval), error),
    repair: (interval, most) => Effect.mapError(repair.repair(interval, most), error),
    lost: (interval) => Effect.mapError(badRecords.repaired(operation, interval), error),
    bereft: (interval) => Effect.mapError(versions.bereft(interval), error),
    disputed: (interval) => Effect.mapError(Effect.map(disputes(interval), ({ disputed }) => disputed), error),
    extent: Effect.mapError(Inventory.extent(sql, operation), error),
    counts: Effect.mapError(Inventory.counts(sql, operation), error)
  }
}
