/** The slices of some assets: their records in time order, read by themselves, and nothing of what is known of the time between. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlErrors from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as RecordTable from "../records/RecordTable.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as StoredText from "../sql/StoredText.ts"
import type { History } from "./History.ts"
import type * as RecordReader from "./RecordReader.ts"

export interface Options<Record, Row extends RecordTable.Common> {
  readonly sql: SqlClient.SqlClient
  readonly error: (error: SqlErrors.SqlError) => ArchiveError.DatabaseError
  readonly versions: VersionTable.VersionTable<Record>
  readonly records: ReturnType<typeof RecordReader.make<Record, Row>>
}

/** A slice has about so many records unless the caller asks for another number. */
const BATCH = 4096

export const make = <Record, Row extends RecordTable.Common>(
  table: RecordTable.RecordTable<Record, Row>,
  { error, records: reader, sql, versions }: Options<Record, Row>
): History<Record>["ofAssets"] => {
  const { asset, operation } = table
  const columns = sql.literal(RecordTable.columns(table).join(", "))
  const ofVersions = sql.literal(VersionTable.COLUMNS.join(", "))
  const stored = RecordTable.stored(table)

  return (assets, { batch = BATCH, disputed = false, from, to }) => {
    const isOf = new Set(assets)
    const isAsked = InList.of(sql, asset.column, assets.map(StoredText.encode))

    const rowsOf = (interval: Coverage.Interval, most: number) =>
      sql<Row>`SELECT ${columns} FROM ${sql(operation)}
        WHERE at >= ${interval.from} AND at < ${interval.to} AND ${isAsked} ORDER BY at, id LIMIT ${most}`

    /** Reads about `batch` rows, all of each time that they have, and tells up to where that is. */
    const next = Effect.fnUntraced(function*(at: number) {
      const rows = yield* rowsOf({ from: at, to }, batch + 1)
      const [first, last] = [rows[0], rows[batch]]
      if (first === undefined || last === undefined) return { rows, end: to }
      if (last.at > first.at) return { rows: rows.filter((row) => row.at < last.at), end: last.at }
      const end = last.at + 1
      return { rows: yield* rowsOf({ from: last.at, to: end }, Number.MAX_SAFE_INTEGER), end }
    })

    /** Gives contents that contradict a record of another time, as records of their own time. */
    const strays = Effect.fnUntraced(function*(interval: Coverage.Interval) {
      const conflicts = yield* sql<VersionTable.Row>`SELECT ${ofVersions} FROM versions
        WHERE operation = ${operation} AND kind = 'conflict' AND at >= ${interval.from} AND at < ${interval.to}
        ORDER BY at, id, number`
      const found = yield* reader.strays(versions.read(conflicts))
      return found.filter(({ record }) => isOf.has(asset.of(record)))
    })

    const piece = Effect.fnUntraced(function*(at: number) {
      const { end, rows } = yield* next(at)
      // Rows that are not as they were written are left out, and told where all rows are read.
      const sound = rows.filter(Checksum.holds).map(stored)
      const kept = reader.withPast(sound, yield* reader.pastOf(sound))
      const others = disputed ? yield* strays({ from: at, to: end }) : []
      const slice: Slice.Slice<ArchivedRecord.ArchivedRecord<Record>> = {
        from: at,
        to: end,
        records: [...kept, ...others].toSorted(reader.byTime),
        bad: [],
        coverage: []
      }
      return [slice, end] as const
    })

    return Stream.unfold(from, (at) => at >= to ? Effect.undefined : piece(at)).pipe(
      Stream.catchIf(SqlErrors.isSqlError, (cause) => Stream.fail(error(cause)))
    )
  }
}
