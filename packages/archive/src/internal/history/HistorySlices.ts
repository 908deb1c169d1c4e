/** The slices of one operation hold what is kept, in time order, with the coverage of each slice's time. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlErrors from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Believed from "../coverage/Believed.ts"
import type * as ControlTable from "../coverage/ControlTable.ts"
import type * as CoverageTable from "../coverage/CoverageTable.ts"
import * as Damages from "../coverage/Damages.ts"
import * as Day from "../coverage/Day.ts"
import type * as Moves from "../coverage/Moves.ts"
import * as Proven from "../coverage/Proven.ts"
import * as BadRecordTable from "../records/BadRecordTable.ts"
import * as FileWord from "../records/FileWord.ts"
import * as RecordTable from "../records/RecordTable.ts"
import type * as Untimed from "../records/Untimed.ts"
import type * as VersionTable from "../records/VersionTable.ts"
import * as Audit from "./Audit.ts"
import type { SlicesOptions } from "./History.ts"
import type * as RecordReader from "./RecordReader.ts"
import type * as Repair from "./Repair.ts"

export interface Options<Record, Row extends RecordTable.Common> {
  readonly place: string
  readonly sql: SqlClient.SqlClient
  readonly error: (error: SqlErrors.SqlError) => ArchiveError.DatabaseError
  readonly coverage: CoverageTable.CoverageTable
  readonly badRecords: BadRecordTable.BadRecordTable
  readonly moves: Moves.Moves
  readonly versions: VersionTable.VersionTable<Record>
  readonly records: ReturnType<typeof RecordReader.make<Record, Row>>
  readonly audit: ReturnType<typeof Audit.make<Row>>
  readonly asBad: ReturnType<typeof Repair.make>["asBad"]
}

/** A slice has about so many records unless the caller asks for another number. */
const BATCH = 4096

/** Cuts an interval into pieces of about `batch` records each; records of one time stay together. */
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

export const make = <Record, Row extends RecordTable.Common>(
  table: RecordTable.RecordTable<Record, Row>,
  { asBad, audit, badRecords, coverage, error, moves, place, records: reader, sql, versions }: Options<Record, Row>
) => {
  const { operation } = table
  const stored = RecordTable.stored(table)

  const changed = Effect.fail(ArchiveError.ArchiveError.of(new ArchiveError.Changed({ place })))

  /** Fails where something has moved since the number was `known`. */
  const still = (known: number) => Effect.flatMap(moves.number, (number) => number === known ? Effect.void : changed)

  interface Known {
    readonly parts: ReadonlyArray<Coverage.Coverage>
    readonly stretches: ReadonlyArray<ControlTable.Control>
    readonly isProven: Proven.Proven
  }

  interface Rest extends Known {
    readonly from: number
    readonly moved: number
    /** Something before `from` is not as it was written, on the day (UTC) that ends here. */
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

  /**
   * Tells whether rows and coverage are of one state of the archive: they are where the stretch claims the coverage that was
   * read.
   */
  const agree = (page: Audit.Page<Row>, { stretches }: Known): boolean => {
    const claims = (stretches: ReadonlyArray<ControlTable.Control>): string =>
      stretches.filter(({ claims, from, to }) => claims !== 0 && from < page.to && to > page.from)
        .map(({ claims, from }) => `${from} ${claims}`).join()
    return claims(page.controls) === claims(stretches)
  }

  /**
   * Reads rows, and the coverage of their time, from one state of the archive: it may have gone on, or back, since `known` was
   * read.
   */
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
    // Reading begins with the whole day, because damage in its first part leaves the rest unknown as well.
    const first = Effect.gen(function*(): Effect.fn.Return<Rest, SqlErrors.SqlError> {
      const moved = yield* moves.number
      return { from: Day.dayOf(from), moved, damagedTo: 0, given: new Map(), ...yield* lookUp({ from, to }) }
    })
    const piece = Effect.fnUntraced(
      function*(rest: Rest): Effect.fn.Return<Piece, ArchiveError.SlicesError | SqlErrors.SqlError> {
        const { moved } = rest
        const { page, parts } = yield* next({ from: rest.from, to }, batch, rest)
        const [at, end] = [Math.max(rest.from, from), Math.min(page.to, to)]
        const damaged = Damages.restOfDays(page, page.stretches.filter(Audit.isDamaged), rest.damagedTo)
        const damagedTo = damaged.reduce((last, { to }) => Math.max(last, to), rest.damagedTo)
        if (end <= at) return [[], { ...rest, from: end, damagedTo }]
        const isIn = (row: { readonly at: number }): boolean => row.at >= at && row.at < end
        const sound = page.rows.filter((row) => isIn(row) && !page.altered.has(row))
        const rows = sound.map(stored)
        const past = yield* reader.pastOf(rows)
        const records = reader.withPast(rows, past)
        // A content that contradicts the record may have been lost at another time, and only the control totals of that time miss
        // it.
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
        const others = disputed ? yield* reader.strays(versions.read(page.versions.filter(isIn))) : []
        const all = [...records, ...others].toSorted(reader.byTime)
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
                ...altered.filter(isHere).map(asBad)
              ],
              coverage: Coverage.clip(known, interval)
            }
          }
        )
        const left = rest.parts.filter((part) => part.to > end)
        return [slices, { ...rest, from: end, damagedTo, given, parts: left }]
      }
    )
    return Stream.unwrap(
      Effect.map(
        first,
        (start) => Stream.unfold(start, (state) => state.from >= to ? Effect.undefined : piece(state))
      )
    ).pipe(
      Stream.flattenIterable,
      // Each slice is passed on by itself, as soon as it is asked for.
      Stream.rechunk(1),
      Stream.catchIf(SqlErrors.isSqlError, (cause) => Stream.fail(error(cause)))
    )
  }

  return slices
}
