/** A record table says how records of one operation stand in their rows. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"
import type { Value } from "../sql/Checksum.ts"
import * as StoredText from "../sql/StoredText.ts"
import type * as Merge from "./Merge.ts"

/** Every table of records has these columns. */
export interface Common {
  /** This is the record's own time, Unix ms. */
  readonly at: number
  readonly id: string
  readonly query: number
  readonly seen_at: number
  readonly last_seen: number | null
  readonly imported: number
  readonly vanished_at: number | null
  readonly history: number
  readonly checksum: number
}

export interface RecordTable<Record, Row extends Common> extends Merge.Rules<Record> {
  readonly operation: Coverage.Coverage["operation"]
  /** These columns are the record's own, its time and id aside; `values` gives what stands in them. */
  readonly columns: ReadonlyArray<string>
  readonly values: (record: Record) => ReadonlyArray<Value>
  readonly record: (row: Row) => Record
  /** These turn the record into JSON, for versions, and back. */
  readonly content: (record: Record) => string
  readonly parse: (content: string) => Record
  /** Gives the id of a row that is not there yet. */
  readonly id: (addition: Merge.Addition<Record>) => string
  /** Records of one identity are found by this column and its value. */
  readonly key: { readonly column: "at" | "id"; readonly of: (record: Record) => Value }
  /** People know a record by the name in this column; it has an index. */
  readonly name: "id" | "tx_id"
  /** The asset of a record stands in this column. */
  readonly asset: { readonly column: "asset" | "coin"; readonly of: (record: Record) => string }
  /** Gives the queries that show a record, by `Coverage.keyOf`. */
  readonly shownBy: (record: Record) => ReadonlyArray<string>
  /** Gives the time that an unreadable record tells in spite of all, Unix ms. */
  readonly badTime: (raw: string) => number | undefined
}

/** Gives all columns of a table, in the order that the checksum takes; the checksum is the last of them. */
export const columns = (table: { readonly columns: ReadonlyArray<string> }): ReadonlyArray<string> => [
  "at",
  "id",
  ...table.columns,
  "query",
  "seen_at",
  "last_seen",
  "imported",
  "vanished_at",
  "history",
  "checksum"
]

/** Reads a row of records or of versions; `record` is the record that it holds. */
export const version = <Record>(
  row: Pick<Common, "seen_at" | "last_seen" | "imported">,
  record: Record
): ArchivedRecord.Version<Record> => ({
  record,
  seenAt: row.seen_at,
  ...(row.last_seen === null ? {} : { lastSeenAt: row.last_seen }),
  imported: row.imported === 1
})

/** Reads a row of records that holds what was written. */
export const stored =
  <Record, Row extends Common>({ record }: Pick<RecordTable<Record, Row>, "record">) =>
  (row: Row): Merge.Stored<Record> => ({
    id: StoredText.decode(row.id),
    ...version(row, record(row)),
    query: row.query,
    vanishedAt: row.vanished_at,
    history: row.history
  })
