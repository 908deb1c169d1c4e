/** This table keeps superseded versions and contradicting contents of one operation's records. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as ControlTable from "../coverage/ControlTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import type * as Merge from "./Merge.ts"
import * as RecordTable from "./RecordTable.ts"

/** A row has its fields in the order of the columns. */
export interface Row {
  readonly operation: string
  readonly id: string
  readonly number: number
  readonly kind: Merge.Past<unknown>["kind"]
  readonly at: number
  readonly content: string
  readonly seen_at: number
  readonly last_seen: number | null
  readonly imported: number
  readonly checksum: number
}

export const COLUMNS: ReadonlyArray<string> = [
  "operation",
  "id",
  "number",
  "kind",
  "at",
  "content",
  "seen_at",
  "last_seen",
  "imported",
  "checksum"
]

/** No record has so many versions: a row with a greater number is damaged. */
const ENDLESS = 0x7fff_ffff

/** So many rows are read at once. */
const BATCH = 4096

type Pasts<Record> = Effect.Effect<ReadonlyArray<Merge.Past<Record>>, SqlError>

export interface VersionTable<Record> {
  /** Inserts rows. It runs inside a transaction whose control totals count what it returns. */
  readonly insert: (
    past: ReadonlyArray<Merge.Past<Record>>
  ) => Effect.Effect<ReadonlyArray<ControlTable.Change>, SqlError>
  /** Reads all versions of those rows that have any, by id and number. */
  readonly of: (rows: ReadonlyArray<Pick<Merge.Stored<Record>, "id" | "history">>) => Pasts<Record>
  /** Counts the versions by id; an id without versions is left out. */
  readonly counts: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, SqlError>
  /** Gives the times in the interval of records that had more versions than there are. */
  readonly bereft: (interval: Coverage.Interval) => Effect.Effect<ReadonlyArray<Coverage.Interval>, SqlError>
  /** Gives the times in the interval of versions that are not as they were written. It reads each of them. */
  readonly altered: (interval: Coverage.Interval) => Effect.Effect<ReadonlyArray<Coverage.Interval>, SqlError>
  /** Reads the rows that hold what was written. */
  readonly read: (rows: ReadonlyArray<Row>) => ReadonlyArray<Merge.Past<Record>>
}

export const make = <Record, Columns extends RecordTable.Common>(
  sql: SqlClient.SqlClient,
  { at, content, operation, parse }: RecordTable.RecordTable<Record, Columns>
): VersionTable<Record> => {
  const all = sql.literal(COLUMNS.join(", "))

  const pastOf = (row: Row): Merge.Past<Record> => ({
    id: StoredText.decode(row.id),
    number: row.number,
    kind: row.kind,
    ...RecordTable.version(row, parse(row.content))
  })
  /** Damaged rows are left out: the control totals of their time tell of them. */
  const past = (rows: ReadonlyArray<Row>): ReadonlyArray<Merge.Past<Record>> =>
    rows.filter((row) => Checksum.holds(row)).map(pastOf)

  const values = ({ id, imported, kind, lastSeenAt, number, record, seenAt }: Merge.Past<Record>) => [
    operation,
    StoredText.encode(id),
    number,
    kind,
    at(record),
    content(record),
    seenAt,
    lastSeenAt ?? null,
    imported ? 1 : 0
  ]
  const insertRows = Insert.into(sql, "versions", COLUMNS)

  return {
    read: past,
    insert: Effect.fnUntraced(function*(past) {
      if (past.length === 0) return []
      // A record that was lost and shown again begins anew, but its versions are still there.
      const known = yield* sql<Pick<Row, "id" | "number">>`SELECT id, MAX(number) AS number FROM versions
        WHERE operation = ${operation} AND ${
        InList.of(sql, "id", past.map(({ id }) => StoredText.encode(id)))
      } AND number < ${ENDLESS} GROUP BY id`
      const last = new Map(known.map(({ id, number }) => [StoredText.decode(id), number]))
      const rows = past.map((one) => {
        const number = Math.max(one.number, (last.get(one.id) ?? 0) + 1)
        last.set(one.id, number)
        const row = values(Object.assign({}, one, { number }))
        return { at: at(one.record), checksum: Checksum.of(row), row }
      })
      yield* insertRows(rows.map(({ checksum, row }) => [...row, checksum]))
      return rows.map(({ at, checksum }) => ({ at, records: 1, checksums: checksum }))
    }),
    counts: Effect.fnUntraced(function*(ids) {
      if (ids.length === 0) return new Map()
      // Of many operations nothing was ever superseded: no id is looked up then.
      const found = yield* sql<
        { readonly id: string; readonly count: number }
      >`SELECT id, COUNT(*) AS count FROM versions
        WHERE EXISTS (SELECT 1 FROM versions WHERE operation = ${operation})
          AND operation = ${operation} AND ${InList.of(sql, "id", ids.map(StoredText.encode))} GROUP BY id`
      return new Map(found.map(({ count, id }) => [StoredText.decode(id), count]))
    }),
    bereft: ({ from, to }) =>
      Effect.map(
        sql<Pick<Row, "at">>`SELECT DISTINCT at FROM ${sql(operation)} AS kept
          WHERE at >= ${from} AND at < ${to} AND history > 0 AND history > (
            SELECT COUNT(*) FROM versions WHERE versions.operation = ${operation} AND versions.id = kept.id)
          ORDER BY at`,
        (rows) => rows.map(({ at }) => ({ from: at, to: at + 1 }))
      ),
    altered: Effect.fnUntraced(function*({ from, to }) {
      const found: Array<Coverage.Interval> = []
      let last: Pick<Row, "at" | "id" | "number"> = { at: from, id: "", number: 0 }
      for (;;) {
        const rows: ReadonlyArray<Row> = yield* sql<Row>`SELECT ${all} FROM versions
          WHERE operation = ${operation} AND at < ${to} AND (at, id, number) > (${last.at}, ${last.id}, ${last.number})
          ORDER BY at, id, number LIMIT ${BATCH}`
        for (const row of rows) if (!Checksum.holds(row)) found.push({ from: row.at, to: row.at + 1 })
        const end = rows.at(-1)
        if (end === undefined || rows.length < BATCH) return found
        last = end
      }
    }),
    of: (rows) => {
      const ids = rows.filter(({ history }) => history > 0).map(({ id }) => StoredText.encode(id))
      return ids.length === 0 ? Effect.succeed([]) : Effect.map(
        sql<Row>`SELECT ${all} FROM versions
          WHERE operation = ${operation} AND ${InList.of(sql, "id", ids)} ORDER BY id, number`,
        past
      )
    }
  }
}
