/** Writes blocks of Markdown. Every text that is passed in is Markdown already. */

export type Lines = ReadonlyArray<string>

const row = (cells: Lines): string => `| ${cells.join(" | ")} |`

/** A column is left-aligned unless it is one of numbers. */
export interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

/** Makes a table with an empty line after it; without rows there is no table. */
export const table = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Lines>): Lines =>
  rows.length === 0 ? [] : [
    row(columns.map(({ title }) => title)),
    row(columns.map(({ isNumber }) => (isNumber === true ? "---:" : "---"))),
    ...rows.map(row),
    ""
  ]

/** Makes an item of a list, with items below it. */
export const item = (text: string, below: Lines = []): Lines => [`- ${text}`, ...below.map((line) => `  - ${line}`)]

/** Makes a section with an empty line after its heading; without lines there is no section. */
export const section = (title: string, lines: Lines): Lines => lines.length === 0 ? [] : [`## ${title}`, "", ...lines]
