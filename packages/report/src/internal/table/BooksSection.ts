/** Shows the books that the run brought forward: what became of them, the roll-forward, its worth, and what waits longest. */
import type * as Report from "@tallystick/reconcile/Report"
import * as Grid from "../../text/Grid.ts"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as BookRows from "../content/BookRows.ts"
import * as WorthRows from "../content/WorthRows.ts"

const columns: ReadonlyArray<Grid.Column> = [
  { title: "", align: "left" },
  { title: "deposits", align: "right" },
  { title: "sum", align: "decimal" },
  { title: "transfers", align: "right" },
  { title: "sum", align: "decimal" }
]

const cellsOf = ({ rows }: BookRows.Block): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map(({ deposits, label, transfers }) => [
    `  ${label}`,
    Text.count(deposits.count),
    deposits.sum,
    Text.count(transfers.count),
    transfers.sum
  ])

/** One grid for all assets, of which the title of each stands above its rows. */
const rollForward = (books: Report.Books, { style, width }: Sheet): Lines => {
  const blocks = BookRows.blocks(books)
  if (blocks.length === 0) return []
  const grid = Grid.lines(columns, blocks.flatMap(cellsOf))
  let at = 0
  return [
    style.faint(grid.header),
    ...blocks.flatMap(({ asset, rows, state }) => {
      const own = grid.rows.slice(at, at + rows.length)
      at += rows.length
      return [style.strong(`${Text.plain(asset)}, ${state}`)].concat(own)
    }),
    ...Text.wrap(BookRows.LEGEND, width).map(style.faint)
  ]
}

const worth = (books: Report.Books, { style, width }: Sheet): Lines => {
  if (books.worth === undefined) return []
  const blocks = WorthRows.blocks(books)
  const grid = Grid.lines(
    [
      { title: `worth${WorthRows.inCurrency(books.worth)}`, align: "left" },
      { title: "deposits", align: "decimal" },
      { title: "transfers", align: "decimal" }
    ],
    blocks.flatMap(({ rows }) => rows.map(({ deposits, label, transfers }) => [`  ${label}`, deposits, transfers]))
  )
  let at = 0
  const lacking = WorthRows.lacking(books.worth, Text.plain)
  return [
    ...(blocks.length === 0 ? [] : ["", style.faint(grid.header)]),
    ...blocks.flatMap((block) => {
      const own = grid.rows.slice(at, at + block.rows.length)
      at += block.rows.length
      return [style.strong(WorthRows.title(block, Text.plain))].concat(own)
    }),
    ...(blocks.length === 0 ? [] : Text.wrap(WorthRows.LEGEND, width).map(style.faint)),
    ...(lacking === undefined ? [] : Text.wrap(lacking, width))
  ]
}

const items: ReadonlyArray<Grid.Column> = [
  { title: "waits longest", align: "left" },
  { title: "age", align: "right" },
  { title: "code", align: "left" },
  { title: "entries", align: "left" }
]

const oldest = (books: Report.Books, asOf: number | null, { limit, style, width }: Sheet): Lines => {
  const shown = books.carried.oldest.slice(0, limit)
  if (shown.length === 0) return []
  const rows = shown.map((item) =>
    [item.id, BookRows.age(item, asOf), BookRows.code(item), BookRows.members(item)].map(Text.plain)
  )
  const grid = Grid.fitted(items, rows, width)
  const more = BookRows.more(books, shown.length)
  return [
    "",
    ...(grid.header === undefined ? [] : [style.faint(grid.header)]),
    ...grid.rows,
    ...(more === undefined ? [] : [style.faint(more)])
  ]
}

export const books = ({ asOf, books }: Report.Summary, sheet: Sheet): Lines =>
  books === undefined ? [] : section(sheet, "BOOKS", [
    ...[BookRows.execution(books), ...BookRows.sentences(books)].flatMap((sentence) =>
      Text.wrap(sentence, sheet.width)
    ),
    ...rollForward(books, sheet),
    ...worth(books, sheet),
    ...oldest(books, asOf, sheet)
  ])
