/** Writes columns of a terminal table. Nothing is ever cut off: a column is as wide as its widest cell, or rows are paragraphs. */
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

/** Stands between words that belong together while lines are broken. */
const BOND = "\u00a0"

const bound = (text: string): string => text.replaceAll(" ", BOND)

/** Writes a row in words: `deposits 3, sum 1.5`. A cell without a title speaks for itself, and an empty one is left out. */
const paragraph = (columns: ReadonlyArray<Column>, row: Row, width: number): ReadonlyArray<string> => {
  const named = columns.flatMap(({ title }, index) => {
    const cell = (row[index] ?? "").trim()
    return cell === "" ? [] : [bound(`${title.trim().toLowerCase()} ${cell}`.trim())]
  })
  return Text.paragraph("  ", named.join(", "), width).map((line) => line.replaceAll(BOND, " "))
}

/**
 * Writes a table of at most `width` cells. Where it would be wider, each row is a paragraph: its first cell on a line of its own, and
 * the others with their titles below.
 */
export const fitted = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Row>,
  width: number
): { readonly header?: string; readonly rows: ReadonlyArray<string> } => {
  const table = lines(columns, rows)
  if ([table.header, ...table.rows].every((line) => Text.width(line) <= width)) return table
  return {
    rows: rows.flatMap((row) => [
      ...(row[0] === "" ? [] : [row[0] ?? ""]),
      ...paragraph(columns.slice(1), row.slice(1), width)
    ])
  }
}
