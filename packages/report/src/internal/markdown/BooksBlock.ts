/** Shows the books that the run brought forward, in Markdown. */
import type * as Report from "@tallystick/reconcile/Report"
import * as Text from "../../text/Text.ts"
import * as BookRows from "../content/BookRows.ts"
import * as WorthRows from "../content/WorthRows.ts"
import * as Blocks from "./Blocks.ts"
import * as Escape from "./Escape.ts"

const number = (title: string): Blocks.Column => ({ title, isNumber: true })

const rollForward = (books: Report.Books): Blocks.Lines =>
  Blocks.table(
    [
      { title: "Asset" },
      { title: "State" },
      { title: "Line" },
      number("Deposits"),
      number("Sum"),
      number("Transfers"),
      number("Sum")
    ],
    BookRows.blocks(books).flatMap(({ asset, rows, state }) =>
      rows.map(({ deposits, label, transfers }) => [
        Escape.prose(asset),
        state,
        label,
        Text.count(deposits.count),
        deposits.sum,
        Text.count(transfers.count),
        transfers.sum
      ])
    )
  )

const worth = (books: Report.Books): Blocks.Lines => {
  if (books.worth === undefined) return []
  const blocks = WorthRows.blocks(books)
  const lacking = WorthRows.lacking(books.worth, Escape.prose)
  return [
    ...Blocks.table(
      [
        { title: `Worth${WorthRows.inCurrency(books.worth)}` },
        { title: "Line" },
        number("Deposits"),
        number("Transfers")
      ],
      blocks.flatMap((block) =>
        block.rows.map(({ deposits, label, transfers }) => [
          WorthRows.title(block, Escape.prose),
          label,
          deposits,
          transfers
        ])
      )
    ),
    ...(blocks.length === 0 ? [] : [WorthRows.LEGEND, ""]),
    ...(lacking === undefined ? [] : [lacking, ""])
  ]
}

const oldest = (books: Report.Books, asOf: number | null): Blocks.Lines => {
  const shown = books.carried.oldest
  const more = BookRows.more(books, shown.length)
  return [
    ...Blocks.table(
      [{ title: "Waits longest" }, number("Age"), { title: "Code" }, { title: "Entries" }],
      shown.map((item) => [
        item.id,
        BookRows.age(item, asOf),
        BookRows.code(item),
        Escape.prose(BookRows.members(item))
      ])
    ),
    ...(more === undefined ? [] : [more, ""])
  ]
}

export const books = ({ asOf, books }: Report.Summary): Blocks.Lines =>
  books === undefined ? [] : Blocks.section("Books", [
    ...[BookRows.execution(books), ...BookRows.sentences(books)].flatMap((sentence) => Blocks.item(sentence)),
    "",
    ...rollForward(books),
    ...(books.rollForward.length === 0 ? [] : [BookRows.LEGEND, ""]),
    ...worth(books),
    ...oldest(books, asOf)
  ])
