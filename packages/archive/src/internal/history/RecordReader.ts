/** A reader gives kept records with their pasts: their earlier versions, and the contents that contradict them. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Struct from "effect/Struct"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import * as FileWord from "../records/FileWord.ts"
import type * as Merge from "../records/Merge.ts"
import * as RecordTable from "../records/RecordTable.ts"
import type * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"
import * as StoredText from "../sql/StoredText.ts"

/** No text has a letter behind this one. */
const LAST = "\u{10ffff}"

export interface Options<Record> {
  readonly sql: SqlClient.SqlClient
  readonly versions: VersionTable.VersionTable<Record>
}

export const make = <Record, Row extends RecordTable.Common>(
  table: RecordTable.RecordTable<Record, Row>,
  { sql, versions }: Options<Record>
) => {
  const name = sql(table.operation)
  const all = sql.literal(RecordTable.columns(table).join(", "))
  const stored = RecordTable.stored(table)

  /** Reads the versions that are kept of these records, by id. */
  const pastOf = (rows: ReadonlyArray<Merge.Stored<Record>>) =>
    Effect.map(versions.of(rows), (found) => Map.groupBy(found, ({ id }) => id))

  const withPast = (rows: ReadonlyArray<Merge.Stored<Record>>, past: ReadonlyMap<string, Array<Merge.Past<Record>>>) =>
    rows.map(({ id, imported, lastSeenAt, record, seenAt, vanishedAt }): ArchivedRecord.ArchivedRecord<Record> => {
      const others = past.get(id)
      // Nearly all records have no past, so that filters and sorts of nothing were a twelfth of the time of reading.
      const ofKind = (kind: Merge.Past<Record>["kind"]) =>
        others === undefined ? [] : others.filter((entry) => entry.kind === kind)
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

  /** Reads the records of these names, in order of time. */
  const named = (names: ReadonlyArray<string>) =>
    sql<Row>`SELECT ${all} FROM ${name} WHERE ${InList.of(sql, table.name, names.map(StoredText.encode))}`.pipe(
      Effect.flatMap((rows) => kept(rows.filter(Checksum.holds).map(stored))),
      Effect.map((found) => found.toSorted(byTime))
    )

  /** The database counts the letters of the end, because it counts them otherwise than this program. */
  const ends = (column: Fragment, tail: string) => {
    const text = StoredText.encode(tail)
    return sql.onDialectOrElse({
      pg: () => sql`right(${column}, length(${text}::text)) = ${text}`,
      orElse: () => sql`substr(${column}, -length(${text})) = ${text}`
    })
  }

  /** SQLite asks an index; PostgreSQL, whose order of texts is its locale's, reads all. */
  const begins = (start: string) => {
    const column = sql(table.name)
    const text = StoredText.encode(start)
    return sql.onDialectOrElse({
      pg: () => sql`starts_with(${column}, ${text})`,
      orElse: () => sql`${column} >= ${text} AND ${column} < ${text + LAST}`
    })
  }

  const namesOf = (rows: Effect.Effect<ReadonlyArray<{ readonly name: string }>, SqlError>) =>
    Effect.map(rows, (found) => found.map((row) => StoredText.decode(row.name)))

  /** Finds names that begin and end so, `limit` of them at most: what has another end takes no room of what has this one. */
  const beginning = (start: string, tail: string, limit: number) => {
    const column = sql(table.name)
    const ended = tail === "" ? sql`` : sql` AND ${ends(sql`${column}`, tail)}`
    return namesOf(
      sql`SELECT DISTINCT ${column} AS name FROM ${name} WHERE ${begins(start)}${ended} LIMIT ${limit}`
    )
  }

  /** Finds names that begin so, of which a record has an id that ends so, or which several records have. */
  const beginningOf = (start: string, tail: string) => {
    const column = sql(table.name)
    return namesOf(
      sql`SELECT ${column} AS name FROM ${name} WHERE ${begins(start)}
        GROUP BY ${column} HAVING count(*) > 1 OR ${ends(sql`min(id)`, tail)}`
    )
  }

  /** Gives contents that contradict a record of another time, as records of their own time. */
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
        // The record that this content contradicts is damaged or lost, so the content stays in dispute with itself alone.
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

  return { byTime, pastOf, withPast, named, beginning, beginningOf, strays }
}
