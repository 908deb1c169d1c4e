/** Writes cells of a CSV file that somebody opens in a spreadsheet. */
import * as Text from "../../text/Text.ts"

/**
 * Matches the beginning of a cell that a spreadsheet may take for a formula (= + - @, also full-width or small, also after
 * spaces and quotes), or that begins with an apostrophe itself. Where lists are separated by semicolons, a cell also begins
 * after each semicolon.
 */
const begin = /(^|;)(?=[\s"'`]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]|')/g

/**
 * Writes a stranger's text on one line, without invisible characters, and so that it is no formula. Without the apostrophe at
 * the beginning and after each semicolon it is the text again.
 */
export const text = (written: string): string => Text.plain(written).replace(begin, "$1'")

/** By the standard, spaces and semicolons need no quotes; readers that trim, or split at semicolons, need them. */
const special = /[",;]|^\s|\s$/

/** Joins cells to a line with its line break. Cells hold no line break, because `text` leaves none. */
export const line = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => (special.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell)).join(",")}\r\n`
