/** Judges the header of a table of entries, of the service's own records or of a ledger. */
import type * as Entry from "../Entry.ts"
import * as EntryReader from "../EntryReader.ts"
import * as ColumnNames from "./ColumnNames.ts"
import * as RecordShape from "./RecordShape.ts"

/** The columns of the service's own that are read, the other spelling of one among them. */
const readColumns: Readonly<Record<Entry.Side, ReadonlyArray<string>>> = {
  deposit: [...RecordShape.deposit.columns, "netWork"],
  transfer: RecordShape.transfer.columns
}

/** Returns why a table with these columns cannot be meant for this side; undefined where it can. */
export const problem = (side: Entry.Side, columns: ReadonlyArray<string>): string | undefined => {
  const lacks = (wanted: ReadonlyArray<string>) => wanted.filter((column) => !columns.includes(column))
  const { needed } = RecordShape.of[side]
  if (lacks(needed).length === 0) return ColumnNames.problem(columns, readColumns[side])
  const missing = lacks(RecordShape.entry)
  return missing.length === 0
    ? ColumnNames.problem(columns, EntryReader.fields)
    : `the header lacks ${missing.join(", ")}; wanted: ${RecordShape.entry.join(",")} and optionally ` +
      `status,account,reference, or the service's own names ${needed.join(",")}`
}
