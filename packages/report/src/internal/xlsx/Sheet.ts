/** Writes a sheet: a header that stays in view, and rows that can be filtered. */
import * as Text from "../../text/Text.ts"
import * as Cell from "./Cell.ts"
import type * as Styles from "./Styles.ts"

export interface Column {
  readonly title: string
  readonly kind: Styles.Kind
  /** The width, in characters. */
  readonly width: number
}

/** A table, which takes one sheet, or several where it has more rows than a sheet can hold. */
export interface Table {
  /** At most 25 characters, none of them `:\/?*[]`. */
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** Whether all columns are printed on one page beside each other. */
  readonly isNarrow: boolean
  readonly rows: Iterable<ReadonlyArray<Cell.Value>>
}

/** Makes a table of columns that say what stands in them. */
export const table = <Row>(
  name: string,
  columns: ReadonlyArray<Column & { readonly cell: (row: Row) => Cell.Value }>,
  rows: Iterable<Row>,
  isNarrow = false
): Table => ({
  name,
  columns,
  isNarrow,
  rows: {
    *[Symbol.iterator]() {
      for (const row of rows) yield columns.map(({ cell }) => cell(row))
    }
  }
})

/** Names a column: `A`, `Z`, `AA`. */
const letters = (index: number): string =>
  (index < 26 ? "" : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** What a sheet holds at most: rows with its header, and characters of its text, of which a file of the zip may have 4 GiB. */
export interface Limits {
  readonly rows: number
  readonly characters: number
}

/** The limits of a sheet. */
export const LIMITS: Limits = { rows: 1_048_576, characters: 1_000_000_000 }

/** The rows of a table that no sheet has yet. */
export interface Cursor {
  readonly rows: Iterator<ReadonlyArray<Cell.Value>>
  next: IteratorResult<ReadonlyArray<Cell.Value>>
}

/** Begins with the rows of a table. */
export const begin = (table: Table): Cursor => {
  const rows = table.rows[Symbol.iterator]()
  return { rows, next: rows.next() }
}

/** The height of a line, in points, and the most that a row may have. */
const [LINE, HIGHEST] = [13, 409]

/** The height of a row whose prose is wrapped: not every program finds it by itself. */
const heightOf = (columns: ReadonlyArray<Column>, values: ReadonlyArray<Cell.Value>): string => {
  const lines = columns.map(({ kind, width }, index) => {
    const value = values[index]
    return kind === "prose" && typeof value === "string" ? Math.ceil(Text.width(value) / width) : 1
  })
  const most = Math.max(...lines)
  return most < 2 ? "" : ` ht="${Math.min(most * LINE, HIGHEST)}" customHeight="1"`
}

const xml = function*(
  { columns, isNarrow }: Omit<Table, "name" | "rows">,
  cursor: Cursor,
  limits: Limits
): Generator<string, void> {
  const names = columns.map((_, index) => letters(index))
  const last = names.at(-1) ?? "A"
  const isWrapped = columns.some(({ title, width }) => title.length >= width)
  const head =
    `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${
      isNarrow ? `<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` : ""
    }` +
    `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${
      columns.map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
        .join("")
    }</cols><sheetData><row r="1"${isWrapped ? ` ht="${2 * LINE}" customHeight="1"` : ""}>${
      columns.map(({ title }, index) => Cell.header(`${names[index]}1`, title)).join("")
    }</row>`
  yield head
  let [count, characters] = [1, head.length]
  while (cursor.next.done !== true && count < limits.rows && characters < limits.characters) {
    const row = ++count
    const cells = cursor.next.value.map((value, index) =>
      Cell.write(`${names[index]}${row}`, columns[index]?.kind ?? "text", value)
    )
    const text = `<row r="${row}"${heightOf(columns, cursor.next.value)}>${cells.join("")}</row>`
    characters += text.length
    yield text
    cursor.next = cursor.rows.next()
  }
  // Programs mark a number that is kept as text as a mistake, and here it is none.
  yield `</sheetData><autoFilter ref="A1:${last}${count}"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>` +
    `<pageSetup paperSize="9" orientation="landscape"${isNarrow ? ` fitToWidth="1" fitToHeight="0"` : ""}/>` +
    `<ignoredErrors><ignoredError sqref="A1:${last}${count}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

/** Writes one sheet of the rows that are left, as many as it can hold. */
export const write = (table: Table, cursor: Cursor, limits: Limits): Iterable<string> => ({
  [Symbol.iterator]: () => xml(table, cursor, limits)
})
