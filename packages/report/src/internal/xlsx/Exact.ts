/** Writes exact decimals: as text, and beside it as a number that a spreadsheet can sum and filter, which it rounds. */
import type * as Cell from "./Cell.ts"
import type { Column } from "./Sheet.ts"

/** Heads a worth; the currency is named where it is known. */
export const worthIn = (currency: string | undefined): string =>
  currency === undefined ? "Worth" : `Worth in ${currency}`

/** Returns both columns. */
export const columns = <Row>(
  title: string,
  cell: (row: Row) => string | undefined
): ReadonlyArray<Column & { readonly cell: (row: Row) => Cell.Value }> => [
  { title, kind: "text", width: 26, cell },
  { title: `${title} (rounded)`, kind: "rounded", width: 18, cell }
]
