/** Cells of a CSV file that somebody opens in a spreadsheet. */
import * as Text from "../../text/Text.ts"

/**
 * Where a cell begins that a spreadsheet may take for a formula (= + - @, also full-width or small, also behind spaces and
 * quotes), or that begins with an apostrophe itself. Where lists are separated by semicolons, a cell begins behind each.
 */
const begin = /(^|;)(?=[\s"'`]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]|')/g

/**
 * Anybody's text: on one line, without what is invisible, and no formula. Taking away the apostrophe at the beginning and
 * behind each semicolon gives the text back.
 */
export const text = (written: string): string => Text.plain(written).replace(begin, "$1'")

/** Lone spaces and semicolons need no quotes by the standard; readers that trim, or split elsewhere, do. */
const special = /[",;]|^\s|\s$/

/** Cells as a line with its break. They hold no line break: `text` leaves none. */
export const line = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell)).join(",")}\r\n`
