/**
 * Cells of an export in CSV: what a terminal and a spreadsheet can be shown of a text, and the column that holds the texts which
 * that changed. What a person sees counts: an exact text is taken only where it is shown as exactly what its cell shows.
 */
import * as JsonText from "@tallystick/reconcile/rows/JsonText"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The column, of which each cell is a JSON object by the names of other columns. */
export const COLUMN = "exact"

/** Cells that spreadsheets take for a formula. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** The text of a cell: one line that drives neither terminal nor spreadsheet. */
const shown = (text: string): string => {
  const plain = Text.plain(text)
  return FORMULA.test(plain) ? `'${plain}` : plain
}

/** The cells of these values, and behind them that of the column. */
export const written = (values: ReadonlyArray<readonly [column: string, value: unknown]>): ReadonlyArray<string> => {
  const exact: { [column: string]: string } = {}
  const cells = values.map(([column, value]) => {
    if (typeof value !== "string") return String(value)
    const cell = shown(value)
    if (cell !== value) exact[column] = value
    return cell
  })
  return [...cells, Object.keys(exact).length === 0 ? "" : SafeJson.stringify(exact)]
}

type Cells = Readonly<Record<string, string>>

const decode = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.String))

/** The texts that the cell of the column holds for others, or why it cannot be meant. */
export const read = (value: Cells, columns: ReadonlyArray<string>): Result.Result<Cells, string> => {
  if (value[COLUMN] === undefined) return Result.succeed({})
  const exact = Option.flatMap(Result.getSuccess(JsonText.parse(value[COLUMN])), decode)
  if (Option.isNone(exact)) return Result.fail("not a JSON object of texts")
  for (const [column, text] of Object.entries(exact.value)) {
    if (column === COLUMN || !columns.includes(column)) {
      return Result.fail("it names something that is no other column of this file")
    }
    if (shown(text) !== (value[column] ?? "")) {
      return Result.fail(
        `it gives ${column} a text that its cell does not show: correct one of the two, or empty ${COLUMN}`
      )
    }
  }
  return Result.succeed(exact.value)
}
