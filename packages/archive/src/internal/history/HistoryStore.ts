/** Records of one operation in SQL: what comes is merged with what is kept, and given back in time order. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlErrors from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { Change, History, SlicesOptions } from "../../Archive.ts"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import { ArchiveError, Changed } from "../../ArchiveError.ts"
import * as Believed from "../coverage/Believed.ts"
import type * as ControlTable from "../coverage/ControlTable.ts"
import type * as CoverageTable from "../coverage/CoverageTable.ts"
import * as CoverageUpdate from "../coverage/CoverageUpdate.ts"
import * as Damages from "../coverage/Damages.ts"
import * as Day from "../coverage/Day.ts"
import * as Moves from "../coverage/Moves.ts"
import * as Proven from "../coverage/Proven.ts"
import * as Queries from "../coverage/Queries.ts"
import * as Weight from "../coverage/Weight.ts"
import * as BadRecordTable from "../records/BadRecordTable.ts"
import * as FileWord from "../records/FileWord.ts"
import * as Merge from "../records/Merge.ts"
import * as RecordTable from "../records/RecordTable.ts"
import * as Untimed from "../records/Untimed.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as Audit from "./Audit.ts"
import * as Inventory from "./Inventory.ts"
import * as Repair from "./Repair.ts"

export interface Options {
  readonly place: string
  readonly sql: SqlClient.SqlClient
  readonly controls: ControlTable.ControlTable
  readonly error: (error: SqlErrors.SqlError) => ArchiveError
  readonly queries: Queries.Queries
  readonly coverage: CoverageTable.CoverageTable
  readonly badRecords: BadRecordTable.BadRecordTable
}

/** Records of a slice unless something else is asked for. */
const BATCH = 4096

/** Intervals of about `batch` records each; those of one time stay together. */
const cut = (
  batch: number,
  { from, to }: Coverage.Interval,
  rows: ReadonlyArray<{ readonly at: number }>
): ReadonlyArray<Coverage.Interval> => {
  const ends: Array<number> = []
  let [first, time] = [0, from]
  for (const [index, { at }] of rows.entries()) {
    if (index - first >= batch && at > time) {
      ends.push(at)
      first = index
    }
    time = at
  }
  return [...ends, to].map((end, index) => ({ from: ends[index - 1] ?? from, to: end }))
}

/** Nobody reads what has not happened: behind its own reading nothing is complete. */
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

  const columns = RecordTable.columns(table)
  const all = sql.literal(columns.join(", "))

  const checked = ({ history, id, imported, lastSeenAt, query, record, seenAt, vanishedAt }: Merge.Stored<Record>) => {
    const at = table.at(record)
    const row = [at, StoredText.encode(id), ...table.values(record)]
    row.push(query, seenAt, lastSeenAt ?? null, imported ? 1 : 0, vanishedAt, history)
    const checksum = Checksum.of(row)
    row.push(checksum)
    const weight = Weight.of({ at, seen_at: seenAt, imported: imported ? 1 : 0, history, checksum })
    return { at, weight, row }
  }
  const insertRows = Insert.into(sql, operation, columns)
  const audit = Audit.make<Row>({ sql, controls }, operation, columns)
  const versions = VersionTable.make(sql, table)
  const moves = Moves.make(sql)

  const repair = Repair.make<Row>({ badRecords, controls, coverage, place, queries, sql }, operation, audit)

  /** Rows that hold what was written; what was damaged is set aside before anything is compared with it. Inside a transaction. */
  const sound = (select: Effect.Effect<ReadonlyArray<Row>, SqlErrors.SqlError>) =>
    Effect.flatMap(select, (rows) => {
      const damaged = rows.filter((row) => !Checksum.holds(row))
      return damaged.length === 0
        ? Effect.succeed(rows.map(stored))
        : Effect.as(repair.setAside(damaged), rows.filter(Checksum.holds).map(stored))
    })

  /** Kept records that share an identity with one of `records`. */
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
    { added, changed, past, updated, vanished }: Merge.Plan<Record>
  ) {
    const before = new Map(updated.length === 0 ? [] : rows.map((row) => [row.id, row]))
    const gone = updated.map(({ id }) => before.get(id)).filter((row) => row !== undefined).map(checked)
    // A transfer's own time changes where the service corrects a file.
    if (gone.length > 0) yield* remove(gone.map(({ at, row }) => ({ at, id: String(row[1]) })))
    const timeOf = (row: Merge.Stored<Record> | undefined) => row === undefined ? undefined : table.at(row.record)
    if (updated.some((row) => timeOf(before.get(row.id)) !== timeOf(row))) yield* moves.raise
    const taken = new Set(added.length === 0 ? [] : rows.map(({ id }) => id))
    /** Of twins an earlier one may have been taken out: the next one gets its number. */
    const free = (row: Merge.Addition<Record>): string => {
      let id = table.id(row)
      for (let ordinal = 1; taken.has(id) && ordinal <= taken.size; ordinal++) id = table.id({ ...row, ordinal })
      taken.add(id)
      return id
    }
    const ids = added.map(free)
    // A record that was lost and is shown again: its versions are still there.
    const left = yield* versions.counts(ids)
    const fresh = added.map((row, index) => {
      const id = ids[index] ?? row.id
      return checked(Object.assign({}, row, { id, history: row.history + (left.get(id) ?? 0) }))
    })
    const come = [...fresh, ...updated.map(checked)]
    yield* insertRows(come.map(({ row }) => row))
    yield* controls.apply(operation, [
      ...gone.map(({ at, weight }) => ({ at, records: -1, checksums: -weight })),
      ...come.map(({ at, weight }) => ({ at, records: 1, checksums: weight })),
      ...(yield* versions.insert(past))
    ])
    return { added: added.length, changed, vanished } satisfies Change
  })

  const merge = Effect.fnUntraced(function*(rows: ReadonlyArray<Merge.Stored<Record>>, shown: Merge.Shown<Record>) {
    return yield* write(rows, Merge.plan(table, rows, yield* versions.of(rows), shown))
  })

  const transaction = <A>(effect: Effect.Effect<A, SqlErrors.SqlError>): Effect.Effect<A, ArchiveError> =>
    Effect.mapError(sql.withTransaction(effect), error)

  /** What a record tells counts as its time where it may be true, in `[from, to)`. */
  const filed = (interval: Coverage.Interval, readAt: number) => (raw: string): BadRecordTable.Filed => {
    const told = table.badTime(raw)
    return told !== undefined && told >= interval.from && told < interval.to
      ? { from: told, to: told + 1, time: "told" }
      : { ...Untimed.shown(interval, readAt), time: "untold" }
  }

  /** Before a record that cannot be read is compared with kept ones. Inside a transaction. */
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
      const shown = { operation, query: number, bad: slice.bad, seenAt: readAt, filed: filed(slice, readAt) }
      if (complete.length + slice.bad.length > 0) yield* takeAltered(slice)
      yield* controls.apply(operation, yield* badRecords.save(shown))
      for (const part of complete) yield* controls.apply(operation, yield* badRecords.settle(shown, part))
      yield* coverage.lay(operation, number, happened(slice.coverage).map(CoverageUpdate.proven))
      return change
    }))

  const importRecords: History<Record>["importRecords"] = (records, seenAt) =>
    transaction(Effect.gen(function*() {
      return yield* merge(yield* known(records), { records, seenAt, imported: true, query: Queries.EVERYTHING })
    }))

  /** The versions that are kept of records, by id. */
  const pastOf = (rows: ReadonlyArray<Merge.Stored<Record>>) =>
    Effect.map(versions.of(rows), (found) => Map.groupBy(found, ({ id }) => id))

  const withPast = (rows: ReadonlyArray<Merge.Stored<Record>>, past: ReadonlyMap<string, Array<Merge.Past<Record>>>) =>
    rows.map(({ id, imported, lastSeenAt, record, seenAt, vanishedAt }): ArchivedRecord.ArchivedRecord<Record> => {
      const others = past.get(id) ?? []
      const ofKind = (kind: Merge.Past<Record>["kind"]) =>
        others.filter((entry) => entry.kind === kind)
          .map((entry): ArchivedRecord.Version<Record> =>
            Struct.pick(entry, ["record", "seenAt", "lastSeenAt", "imported"])
          )
          .toSorted((a, b) => a.seenAt - b.seenAt)
      return FileWord.latest(table, {
        record,
        seenAt,
        ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
        imported,
        key: id,
        before: ofKind("version"),
        conflicts: ofKind("conflict"),
        ...(vanishedAt === null ? {} : { vanishedAt })
      })
    })

  const kept = (rows: ReadonlyArray<Merge.Stored<Record>>) => Effect.map(pastOf(rows), (past) => withPast(rows, past))

  const named: History<Record>["named"] = (names) =>
    sql<Row>`SELECT ${all} FROM ${name} WHERE ${InList.of(sql, table.name, names.map(StoredText.encode))}`.pipe(
      Effect.flatMap((rows) => kept(rows.filter(Checksum.holds).map(stored))),
      Effect.map((found) => found.toSorted(byTime)),
      Effect.mapError(error)
    )

  /** Contents that contradict a record of another time, as records of their own time. */
  const strays = Effect.fnUntraced(function*(past: ReadonlyArray<Merge.Past<Record>>) {
    const conflicts = past.filter(({ kind }) => kind === "conflict")
    if (conflicts.length === 0) return []
    const ids = Array.from(new Set(conflicts.map(({ id }) => StoredText.encode(id))))
    const rows = yield* sql<Row>`SELECT ${all} FROM ${name} WHERE ${InList.of(sql, "id", ids)}`
    const sound = rows.filter(Checksum.holds).map(stored)
    const current = new Map((yield* kept(sound)).map((record) => [record.key, record]))
    const seen = new Set<string>()
    return conflicts.flatMap(
      ({ id, imported, record, seenAt }): ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>> => {
        const other = current.get(id)
        const place = `${table.at(record)} ${id}`
        if (seen.has(place) || (other !== undefined && table.at(other.record) === table.at(record))) return []
        seen.add(place)
        // What it contradicts is damaged or lost: it stays in dispute with itself alone.
        if (other === undefined) {
          return [{ record, seenAt, imported, key: id, before: [], conflicts: [{ record, seenAt, imported }] }]
        }
        const { conflicts, ...latest } = other
        const contradicts = [latest, ...conflicts].filter((one) => !table.equals(one.record, record))
        return [{ record, seenAt, imported, key: id, before: [], conflicts: contradicts }]
      }
    )
  })

  const byTime = (a: ArchivedRecord.ArchivedRecord<Record>, b: ArchivedRecord.ArchivedRecord<Record>): number =>
    table.at(a.record) - table.at(b.record)

  const changed = Effect.fail(new ArchiveError({ reason: new Changed({ place }) }))

  /** Fails where something moved since the number was `known`. */
  const still = (known: number) => Effect.flatMap(moves.number, (number) => number === known ? Effect.void : changed)

  interface Known {
    readonly parts: ReadonlyArray<Coverage.Coverage>
    readonly stretches: ReadonlyArray<ControlTable.Control>
    readonly isProven: Proven.Proven
  }

  interface Rest extends Known {
    readonly from: number
    readonly moved: number
    /** The end of the day (UTC) of which something before `from` is not as it was written. */
    readonly damagedTo: number
    readonly given: Untimed.AllGiven
  }

  type Piece = readonly [ReadonlyArray<Slice.Slice<ArchivedRecord.ArchivedRecord<Record>>>, Rest]

  const lookUp = (interval: Coverage.Interval): Effect.Effect<Known, SqlErrors.SqlError> =>
    Effect.map(coverage.known(interval), ({ parts, stretches }) => {
      const own = parts.filter((part) => part.operation === operation)
      return {
        parts: own.map(Struct.omit(["vouched"])),
        stretches: stretches[operation],
        isProven: Proven.make(own)
      }
    })

  /** Rows of a stretch are of the state that coverage was read of where the stretch claims that coverage. */
  const agree = (page: Audit.Page<Row>, { stretches }: Known): boolean => {
    const claims = (stretches: ReadonlyArray<ControlTable.Control>): string =>
      stretches.filter(({ claims, from, to }) => claims !== 0 && from < page.to && to > page.from)
        .map(({ claims, from }) => `${from} ${claims}`).join()
    return claims(page.controls) === claims(stretches)
  }

  /** Rows, and what is known of their time, of one state of the archive: it may have gone on, or back, since `known`. */
  const next = Effect.fnUntraced(function*(interval: Coverage.Interval, batch: number, known: Known) {
    const page = yield* audit(interval, batch)
    if (agree(page, known)) return { page, parts: known.parts }
    const again = yield* sql.withTransaction(
      Effect.flatMap(audit(interval, batch), (page) => Effect.map(lookUp(page), (known) => ({ page, known })))
    )
    if (!agree(again.page, again.known)) return yield* changed
    return { page: again.page, parts: Believed.within(again.known.parts, known.parts) }
  })

  const moment = ({ record }: { readonly record: Record }): Coverage.Interval => ({
    from: table.at(record),
    to: table.at(record) + 1
  })

  const slices = ({ batch = BATCH, disputed = false, from, to }: SlicesOptions) => {
    // From the beginning of the day on: what is not known of its first part is not known of the rest either.
    const first = Effect.gen(function*(): Effect.fn.Return<Rest, SqlErrors.SqlError> {
      const moved = yield* moves.number
      return { from: Day.dayOf(from), moved, damagedTo: 0, given: new Map(), ...yield* lookUp({ from, to }) }
    })
    const piece = Effect.fnUntraced(function*(rest: Rest): Effect.fn.Return<Piece, ArchiveError | SqlErrors.SqlError> {
      const { moved } = rest
      const { page, parts } = yield* next({ from: rest.from, to }, batch, rest)
      const [at, end] = [Math.max(rest.from, from), Math.min(page.to, to)]
      const damaged = Damages.restOfDays(page, page.stretches.filter(Audit.isDamaged), rest.damagedTo)
      const damagedTo = damaged.reduce((last, { to }) => Math.max(last, to), rest.damagedTo)
      if (end <= at) return [[], { ...rest, from: end, damagedTo }]
      const isIn = (row: { readonly at: number }): boolean => row.at >= at && row.at < end
      const sound = page.rows.filter((row) => isIn(row) && !page.altered.has(row))
      const rows = sound.map(stored)
      const past = yield* pastOf(rows)
      const records = withPast(rows, past)
      // One that contradicts the record may lie at another time, whose control totals miss it.
      const short = rows.filter(({ history, id }) => (past.get(id)?.length ?? 0) < history)
        .map(moment)
      const disputes = records
        .filter((kept) => kept.before.length > 0 && FileWord.differs(table, [...kept.before, kept]))
        .map(moment)
      const unshown = records
        .filter(({ before, imported, record }) =>
          imported && before.every((version) => version.imported) &&
          rest.isProven(table.shownBy(record), table.at(record))
        )
        .map(moment)
      const others = disputed ? yield* strays(versions.read(page.versions.filter(isIn))) : []
      const all = [...records, ...others].toSorted(byTime)
      // A record that tells no time may have got an earlier beginning since it was looked for there.
      const reaching = yield* badRecords.reaching(operation, page.from)
      const { given, placed } = BadRecordTable.within([...reaching, ...page.bad], { from: at, to: end }, rest.given)
      yield* still(moved)
      const altered = page.altered.size === 0
        ? []
        : [...page.rows, ...page.versions, ...page.bad].filter((row) => page.altered.has(row))
      const known = Damages.withLost(
        Damages.withGaps(parts, [
          ...damaged,
          ...disputes.map(Damages.of(FileWord.GAP)),
          ...unshown.map(Damages.of(FileWord.UNSHOWN))
        ]),
        [...yield* badRecords.repaired(operation, page), ...short]
      )
      let place = 0
      const slices = cut(batch, { from: at, to: end }, sound).map(
        (interval): Slice.Slice<ArchivedRecord.ArchivedRecord<Record>> => {
          const isHere = (row: { readonly at: number }): boolean => row.at >= interval.from && row.at < interval.to
          const first = place
          for (let next = all[place]; next !== undefined && table.at(next.record) < interval.to; next = all[place]) {
            place++
          }
          return {
            from: interval.from,
            to: interval.to,
            records: all.slice(first, place),
            bad: [
              ...placed.filter(isHere).flatMap(({ records }) => records),
              ...altered.filter(isHere).map(repair.asBad)
            ],
            coverage: Coverage.clip(known, interval)
          }
        }
      )
      const left = rest.parts.filter((part) => part.to > end)
      return [slices, { ...rest, from: end, damagedTo, given, parts: left }]
    })
    return Stream.unwrap(
      Effect.map(
        first,
        (start) => Stream.unfold(start, (state) => state.from >= to ? Effect.undefined : piece(state))
      )
    ).pipe(
      Stream.flattenIterable,
      // Each slice goes on as soon as somebody asks for it.
      Stream.rechunk(1),
      Stream.catchIf(SqlErrors.isSqlError, (cause) => Stream.fail(error(cause)))
    )
  }

  return {
    savePage,
    saveSlice,
    importRecords,
    slices,
    named,
    check: (interval) => Effect.mapError(repair.check(interval), error),
    repair: (interval, most) => Effect.mapError(repair.repair(interval, most), error),
    lost: (interval) => Effect.mapError(badRecords.repaired(operation, interval), error),
    bereft: (interval) => Effect.mapError(versions.bereft(interval), error),
    extent: Effect.mapError(Inventory.extent(sql, operation), error),
    counts: Effect.mapError(Inventory.counts(sql, operation), error)
  }
}
