/** Records of one operation in SQL: what comes is merged with what is kept, and given back in time order. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlErrors from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { Change, History, SlicesOptions } from "../Archive.ts"
import type { ArchiveError } from "../ArchiveError.ts"
import type * as Kept from "../Kept.ts"
import type * as BadRecordTable from "./BadRecordTable.ts"
import type * as CoverageTable from "./CoverageTable.ts"
import * as Extent from "./Extent.ts"
import * as Insert from "./Insert.ts"
import * as Lists from "./Lists.ts"
import * as Merge from "./Merge.ts"
import * as Overlay from "./Overlay.ts"
import * as Queries from "./Queries.ts"
import * as StoredText from "./StoredText.ts"
import type * as Table from "./Table.ts"
import * as VersionTable from "./VersionTable.ts"

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly error: (error: SqlErrors.SqlError) => ArchiveError
  readonly queries: Queries.Queries
  readonly coverage: CoverageTable.CoverageTable
  readonly badRecords: BadRecordTable.BadRecordTable
}

const DAY = 86_400_000

/** Older than any record that a service still shows, ms. */
const LONGEST_MEMORY = 400 * DAY

/** Records of a slice unless something else is asked for. */
const BATCH = 4096

export const make = <Record, Row extends Table.Common>(
  table: Table.Table<Record, Row>,
  { badRecords, coverage, error, queries, sql }: Options
): History<Record> => {
  const { operation } = table
  const name = sql(operation)

  const stored = (row: Row): Merge.Stored<Record> => ({
    id: StoredText.decode(row.id),
    record: table.record(row),
    query: row.query,
    seenAt: row.seen_at,
    ...(row.last_seen === null ? {} : { lastSeenAt: row.last_seen }),
    imported: row.imported === 1,
    vanishedAt: row.vanished_at,
    history: row.history
  })

  const columns = [...table.columns, "query", "seen_at", "last_seen", "imported", "vanished_at", "history"]
  const values = ({ history, imported, lastSeenAt, query, record, seenAt, vanishedAt }: Merge.Stored<Record>) => [
    ...table.values(record),
    query,
    seenAt,
    lastSeenAt ?? null,
    imported ? 1 : 0,
    vanishedAt,
    history
  ]
  const insertRecords = Insert.into<Merge.Addition<Record>>(
    sql,
    operation,
    ["at", "id", ...columns],
    (into, row) => {
      const { history, imported, lastSeenAt, query, record, seenAt, vanishedAt } = row
      into.push(table.at(record), StoredText.encode(table.id(row)))
      for (const value of table.values(record)) into.push(value)
      into.push(query, seenAt, lastSeenAt ?? null, imported ? 1 : 0, vanishedAt, history)
    }
  )
  const versions = VersionTable.make(sql, table)

  /** Kept records that share an identity with one of `records`. */
  const known = (records: ReadonlyArray<Record>) =>
    records.length === 0 ? Effect.succeed<ReadonlyArray<Merge.Stored<Record>>>([]) : Effect.map(
      sql<Row>`SELECT * FROM ${name} WHERE ${Lists.within(sql, table.key.column, records.map(table.key.of))}`,
      (rows) => rows.map(stored)
    )

  const within = ({ from, to }: Coverage.Interval) =>
    Effect.map(sql<Row>`SELECT * FROM ${name} WHERE at >= ${from} AND at < ${to}`, (rows) => rows.map(stored))

  /** A transfer's own time changes where the service corrects a file. */
  const update = (row: Merge.Stored<Record>) => {
    const [at, id] = [table.at(row.record), StoredText.encode(row.id)]
    const next = values(row)
    const changes = { at, ...Object.fromEntries(columns.map((column, index) => [column, next[index]])) }
    const place = table.key.column === "id" ? sql`id = ${id}` : sql`at = ${at} AND id = ${id}`
    return sql`UPDATE ${name} SET ${sql.update(changes)} WHERE ${place}`
  }

  /** All of them were shown at one time. */
  const updateLastSeen = (rows: Merge.Plan<Record>["again"]) => {
    const [first] = rows
    if (first === undefined) return Effect.void
    const times = rows.map(({ record }) => table.at(record)).toSorted((a, b) => a - b)
    return sql`UPDATE ${name} SET last_seen = ${first.lastSeenAt} WHERE at >= ${times[0] ?? 0} AND at <= ${
      times.at(-1) ?? 0
    } AND ${Lists.within(sql, "id", rows.map(({ id }) => StoredText.encode(id)))}`
  }

  const write = Effect.fnUntraced(function*({ added, again, changed, past, updated, vanished }: Merge.Plan<Record>) {
    yield* insertRecords(added)
    yield* Effect.forEach(updated, update, { discard: true })
    yield* updateLastSeen(again)
    yield* versions.insert(past)
    return { added: added.length, changed, vanished } satisfies Change
  })

  const merge = Effect.fnUntraced(function*(rows: ReadonlyArray<Merge.Stored<Record>>, shown: Merge.Shown<Record>) {
    return yield* write(Merge.plan(table, rows, yield* versions.of(rows), shown))
  })

  const transaction = <A>(effect: Effect.Effect<A, SqlErrors.SqlError>): Effect.Effect<A, ArchiveError> =>
    Effect.mapError(sql.withTransaction(effect), error)

  /** What a record tells counts as its time where it may be true, in `[from, to)`. */
  const filed = ({ from, to }: Coverage.Interval, otherwise: number) => (raw: string): BadRecordTable.Filed => {
    const told = table.badTime(raw)
    return told !== undefined && told >= from && told < to
      ? { at: told, isTold: true }
      : { at: otherwise, isTold: false }
  }

  /** Among the records of a page, or, on a page that shows no other, wherever there may be records at all. */
  const filedOnPage = ({ readAt, records }: Pick<Seen.Seen<Record>, "records" | "readAt">) => {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const record of records) {
      first = Math.min(first, table.at(record))
      last = Math.max(last, table.at(record))
    }
    return records.length === 0
      ? filed({ from: readAt - LONGEST_MEMORY, to: readAt + DAY }, readAt)
      : filed({ from: first, to: last + 1 }, first)
  }

  const savePage: History<Record>["savePage"] = (page, query) =>
    transaction(Effect.gen(function*() {
      const { bad, readAt, records } = page
      const number = yield* queries.number(query)
      const change = yield* merge(yield* known(records), { records, seenAt: readAt, imported: false, query: number })
      if (bad.length > 0) {
        yield* badRecords.save({
          operation,
          query: number,
          bad,
          seenAt: readAt,
          filed: filedOnPage(page),
          isSlice: false
        })
      }
      return change
    }))

  const saveSlice: History<Record>["saveSlice"] = (slice, query) =>
    transaction(Effect.gen(function*() {
      const number = yield* queries.number(query)
      const complete = slice.coverage.filter(({ state }) => state === "complete")
      // A slice without coverage does not say when it was read: by now.
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
      const shown = {
        operation,
        query: number,
        bad: slice.bad,
        seenAt: readAt,
        filed: filed(slice, slice.from),
        isSlice: true
      }
      yield* badRecords.save(shown)
      yield* Effect.forEach(complete, (part) => badRecords.settle(shown, part), { discard: true })
      yield* coverage.lay(operation, number, slice.coverage.map(Overlay.proven))
      return change
    }))

  const importRecords: History<Record>["importRecords"] = (records, seenAt) =>
    transaction(Effect.gen(function*() {
      return yield* merge(yield* known(records), { records, seenAt, imported: true, query: Queries.EVERYTHING })
    }))

  const kept = Effect.fnUntraced(function*(rows: ReadonlyArray<Merge.Stored<Record>>) {
    const past = Map.groupBy(yield* versions.of(rows), ({ id }) => id)
    return rows.map(({ id, imported, lastSeenAt, record, seenAt, vanishedAt }): Kept.Kept<Record> => {
      const others = past.get(id) ?? []
      const ofKind = (kind: Merge.Past<Record>["kind"]) =>
        others.filter((entry) => entry.kind === kind)
          .map((entry): Kept.Version<Record> => Struct.pick(entry, ["record", "seenAt", "lastSeenAt", "imported"]))
          .toSorted((a, b) => a.seenAt - b.seenAt)
      return {
        record,
        seenAt,
        ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
        imported,
        key: id,
        before: ofKind("version"),
        conflicts: ofKind("conflict"),
        ...(vanishedAt === null ? {} : { vanishedAt })
      }
    })
  })

  const named: History<Record>["named"] = (names) =>
    sql<Row>`SELECT * FROM ${name} WHERE ${Lists.within(sql, table.name, names.map(StoredText.encode))}`.pipe(
      Effect.flatMap((rows) => kept(rows.map(stored))),
      Effect.map((found) => found.toSorted(byTime)),
      Effect.mapError(error)
    )

  /** Contents that contradict a record of another time, as records of their own time. */
  const strays = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    const conflicts = yield* versions.conflicts(interval)
    if (conflicts.length === 0) return []
    const ids = Array.from(new Set(conflicts.map(({ id }) => StoredText.encode(id))))
    const rows = yield* sql<Row>`SELECT * FROM ${name} WHERE ${Lists.within(sql, "id", ids)}`
    const current = new Map((yield* kept(rows.map(stored))).map((record) => [record.key, record]))
    const seen = new Set<string>()
    return conflicts.flatMap(({ id, imported, record, seenAt }): ReadonlyArray<Kept.Kept<Record>> => {
      const other = current.get(id)
      const place = `${table.at(record)} ${id}`
      if (other === undefined || seen.has(place) || table.at(other.record) === table.at(record)) return []
      seen.add(place)
      const { conflicts, ...latest } = other
      const contradicts = [latest, ...conflicts].filter((one) => !table.equals(one.record, record))
      return [{ record, seenAt, imported, key: id, before: [], conflicts: contradicts }]
    })
  })

  /** The next records from `from` on, and where the time ends that they are all of. */
  const next = Effect.fnUntraced(function*(
    from: number,
    to: number,
    limit: number
  ): Effect.fn.Return<{ readonly rows: ReadonlyArray<Row>; readonly to: number }, SqlErrors.SqlError> {
    const rows = yield* sql<Row>`SELECT * FROM ${name} WHERE at >= ${from} AND at < ${to}
      ORDER BY at, id LIMIT ${limit + 1}`
    const beyond = rows[limit]
    if (beyond === undefined) return { rows, to }
    const whole = rows.filter(({ at }) => at < beyond.at)
    return whole.length > 0 ? { rows: whole, to: beyond.at } : yield* next(from, to, limit * 2)
  })

  const byTime = (a: Kept.Kept<Record>, b: Kept.Kept<Record>): number => table.at(a.record) - table.at(b.record)

  const slices = ({ batch = BATCH, disputed = false, from, to }: SlicesOptions) => {
    const first = Effect.map(
      coverage.read({ from, to }),
      (parts) => ({
        from,
        parts: parts.filter((part) => part.operation === operation).map(Struct.omit(["vouched"]))
      })
    )
    const piece = Effect.fnUntraced(function*(at: number, parts: ReadonlyArray<Coverage.Coverage>) {
      const { rows, to: end } = yield* next(at, to, batch)
      const slice: Slice.Slice<Kept.Kept<Record>> = {
        from: at,
        to: end,
        records: disputed
          ? [...yield* kept(rows.map(stored)), ...yield* strays({ from: at, to: end })].toSorted(byTime)
          : yield* kept(rows.map(stored)),
        bad: yield* badRecords.read(operation, { from: at, to: end }),
        coverage: Coverage.clip(parts, { from: at, to: end })
      }
      return [slice, { from: end, parts: parts.filter((part) => part.to > end) }] as const
    })
    return Stream.unwrap(
      Effect.map(
        first,
        (start) => Stream.unfold(start, (state) => state.from >= to ? Effect.undefined : piece(state.from, state.parts))
      )
    ).pipe(
      Stream.catchIf(SqlErrors.isSqlError, (cause) => Stream.fail(error(cause)))
    )
  }

  return {
    savePage,
    saveSlice,
    importRecords,
    slices,
    named,
    extent: Effect.mapError(Extent.extent(sql, operation), error),
    counts: Effect.mapError(Extent.counts(sql, operation), error)
  }
}
