/** Records as text that reads back exactly: lines of JSON, an array of JSON, or CSV that a spreadsheet may open. */
import * as SafeJson from "@tallystick/reconcile/render/SafeJson"
import * as Text from "@tallystick/reconcile/render/Text"
import * as Stream from "effect/Stream"
import { EXACT } from "./RecordFile.ts"
import type * as RecordKind from "./RecordKind.ts"

export type Format = "ndjson" | "csv" | "json"

/** What spreadsheets take for a formula. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** What stands in a cell: one line that drives neither terminal nor spreadsheet. */
const shown = (text: string): string => {
  const plain = Text.plain(text)
  return FORMULA.test(plain) ? `'${plain}` : plain
}

const quoted = (cell: string): string => /["',;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell

/** A row; texts that cannot stand in a cell as they are stand in the last one once more, exactly, as JSON. */
const row = <Record>({ columns }: RecordKind.RecordKind<Record>, record: Record): string => {
  const exact: { [column: string]: string } = {}
  const cells = columns.map((column) => {
    const value: unknown = record[column]
    if (typeof value !== "string") return String(value)
    const cell = shown(value)
    if (cell !== value) exact[column] = value
    return cell
  })
  const last = Object.keys(exact).length === 0 ? "" : SafeJson.stringify(exact)
  return `${[...cells, last].map(quoted).join(",")}\n`
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
  <Record>(kind: RecordKind.RecordKind<Record>, format: Format) =>
  <E, R>(records: Stream.Stream<Record, E, R>): Stream.Stream<string, E, R> => {
    if (format === "json") return asArray(records)
    if (format === "ndjson") {
      return Stream.mapArray(records, (chunk) => [chunk.map((record) => `${SafeJson.stringify(record)}\n`).join("")])
    }
    return Stream.mapArray(records, (chunk) => [chunk.map((record) => row(kind, record)).join("")]).pipe(
      Stream.prepend([`${[...kind.columns, EXACT].join(",")}\n`])
    )
  }
