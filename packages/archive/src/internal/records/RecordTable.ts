/** How records of one operation stand in their table. */
import type * as Coverage from "@tallystick/core/Coverage"
import type { Value } from "../sql/Checksum.ts"
import type * as Merge from "./Merge.ts"

/** Columns that every table of records has. */
export interface Common {
  /** The record's own time, Unix ms. */
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
  /** The columns of the record's own, its time and id aside, and what stands in them. */
  readonly columns: ReadonlyArray<string>
  readonly values: (record: Record) => ReadonlyArray<Value>
  readonly record: (row: Row) => Record
  /** The record as JSON, for versions, and back. */
  readonly content: (record: Record) => string
  readonly parse: (content: string) => Record
  /** The id of a row that is not there yet. */
  readonly id: (addition: Merge.Addition<Record>) => string
  /** The column by which records of one identity are found, and its value. */
  readonly key: { readonly column: "at" | "id"; readonly of: (record: Record) => Value }
  /** The column of the name by which people know a record; it has an index. */
  readonly name: "id" | "tx_id"
  /** The queries that show a record, by `Proven.keyOf`. */
  readonly shownBy: (record: Record) => ReadonlyArray<string>
  /** The time that an unreadable record tells in spite of all, Unix ms. */
  readonly badTime: (raw: string) => number | undefined
}

/** All columns of a table, in the order that the checksum takes; it is the last of them. */
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
