/** Writes cells of a sheet. Whatever a cell holds, it is text, a number or a date: nothing here writes a formula. */
import * as Text from "../../text/Text.ts"
import * as Styles from "./Styles.ts"

/** Text; exact decimal text for a `rounded` column; a whole number for a `count`; Unix ms of local time for a `date`. */
export type Value = string | number | undefined

/** The most characters of a cell: a file with a longer one is taken for damaged. */
const MOST = 32_767

const CUT = " … (cut here; the JSON report has all of it)"

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

const special = /[&<>"\uFFFE\uFFFF]/g

/** Returns text between tags or in an attribute, on one line and without what XML cannot hold. */
export const escaped = (text: string): string =>
  Text.plain(text).replace(special, (character) => entities[character] ?? "\uFFFD")

/** In a cell `_x0041_` stands for a letter; an underscore that is one is written so itself. */
const literal = (text: string): string => text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")

const shortened = (text: string): string => text.length <= MOST ? text : text.slice(0, MOST - CUT.length) + CUT

const textCell = (at: string, style: number, text: string): string =>
  text === ""
    ? ""
    : `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${
      escaped(shortened(literal(text)))
    }</t></is></c>`

const numberCell = (at: string, style: number, number: number): string =>
  `<c r="${at}" s="${style}"><v>${String(number)}</v></c>`

const DAY = 86_400_000
/** The day 0 of a sheet is 30 December 1899. Its calendar is right from 1 March 1900 on, and ends with the year 9999. */
const [EPOCH, FIRST, LAST] = [-25_569 * DAY, -25_508 * DAY, 253_402_300_799_999]

const isDate = (ms: number): boolean => ms >= FIRST && ms <= LAST

/** Writes a cell at a place such as `B7`; empty ones are not written. */
export const write = (at: string, kind: Styles.Kind, value: Value): string => {
  if (value === undefined) return ""
  const style = Styles.numberOf(kind)
  if (kind === "date") {
    return typeof value === "number" && isDate(value) ? numberCell(at, style, (value - EPOCH) / DAY) : ""
  }
  // A spreadsheet keeps 15 digits of a number, whatever it is given; the exact text stands beside it.
  if (kind === "rounded" && value !== "") return numberCell(at, style, Number(value))
  return typeof value === "number" ? numberCell(at, style, value) : textCell(at, style, value)
}

/** Writes a cell of the header. */
export const header = (at: string, title: string): string => textCell(at, Styles.HEADER, title)
