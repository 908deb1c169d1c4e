/** Records as text that reads back exactly: lines of JSON, an array of JSON, or CSV that a spreadsheet may open. */
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Stream from "effect/Stream"
import * as ExactCells from "./ExactCells.ts"
import type * as RecordKind from "./RecordKind.ts"

export type Format = "ndjson" | "csv" | "json"

const quoted = (cell: string): string => /["',;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell

/** The columns of a table of records, in their order. */
export type Columns<Record> = Pick<RecordKind.RecordKind<Record>, "columns">

/** Nearly every cell is such, and shown as it is: nothing in it drives a terminal, is a formula or needs quotes. */
const simple = /^[\dA-Za-z][\w.:~-]*$/

const row = <Record>({ columns }: Columns<Record>, record: Record): string => {
  let text = ""
  for (const column of columns) {
    const value = record[column]
    if (typeof value === "string" && value !== "" && !simple.test(value)) {
      return `${ExactCells.written(columns.map((column) => [column, record[column]])).map(quoted).join(",")}\n`
    }
    text += `${String(value)},`
  }
  return `${text}\n`
}

const asArray = <Record, E, R>(records: Stream.Stream<Record, E, R>): Stream.Stream<string, E, R> =>
  Stream.suspend(() => {
    let isFirst = true
    const begun = (record: Record): string => {
      const text = `${isFirst ? "[\n" : ",\n"}${SafeJson.stringify(record)}`
      isFirst = false
      return text
    }
    return Stream.mapArray(records, (chunk) => [chunk.map(begun).join("")]).pipe(
      Stream.concat(Stream.suspend(() => Stream.succeed(isFirst ? "[]\n" : "\n]\n")))
    )
  })

/** The records in the order they come, as they come. */
export const texts =
  <Record>(kind: Columns<Record>, format: Format) =>
  <E, R>(records: Stream.Stream<Record, E, R>): Stream.Stream<string, E, R> => {
    if (format === "json") return asArray(records)
    if (format === "ndjson") {
      return Stream.mapArray(records, (chunk) => [chunk.map((record) => `${SafeJson.stringify(record)}\n`).join("")])
    }
    return Stream.mapArray(records, (chunk) => [chunk.map((record) => row(kind, record)).join("")]).pipe(
      Stream.prepend([`${[...kind.columns, ExactCells.COLUMN].join(",")}\n`])
    )
  }
