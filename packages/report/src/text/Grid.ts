/** Writes columns of a terminal table. Nothing is ever cut off: a column is as wide as its widest cell. */
import * as Text from "./Text.ts"

/** The alignment of a column. `decimal` puts the points of a column under each other. */
export type Align = "left" | "right" | "decimal"

export interface Column {
  readonly title: string
  readonly align: Align
}

type Row = ReadonlyArray<string>

const GAP = "  "

const fraction = (cell: string): number => (cell.includes(".") ? cell.length - cell.indexOf(".") : 0)

/** Puts spaces behind decimals, so that right-aligned points meet. */
const pointed = (cells: Row): Row => {
  const longest = Math.max(0, ...cells.map(fraction))
  return cells.map((cell) => (cell === "" ? cell : cell + " ".repeat(longest - fraction(cell))))
}

/** Writes the header and each row as lines without trailing spaces. */
export const lines = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Row>
): { readonly header: string; readonly rows: ReadonlyArray<string> } => {
  const cells = columns.map(({ align }, index) => {
    const column = rows.map((row) => row[index] ?? "")
    return align === "decimal" ? pointed(column) : column
  })
  const widths = columns.map(({ title }, index) =>
    Math.max(Text.width(title), ...(cells[index] ?? []).map((cell) => Text.width(cell)))
  )
  const line = (cellOf: (index: number) => string): string =>
    columns.map(({ align }, index) =>
      (align === "left" ? Text.padEnd : Text.padStart)(cellOf(index), widths[index] ?? 0)
    ).join(GAP).trimEnd()
  return {
    header: line((index) => columns[index]?.title ?? ""),
    rows: rows.map((_, row) => line((index) => cells[index]?.[row] ?? ""))
  }
}
