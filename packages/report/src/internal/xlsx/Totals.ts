/** The sheet of the control totals, and that of the roll-forward of the books. */
import type * as Report from "@tallystick/reconcile/Report"
import * as ForwardLines from "../content/ForwardLines.ts"
import * as TotalRows from "../content/TotalRows.ts"
import * as Exact from "./Exact.ts"
import * as Sheet from "./Sheet.ts"

interface Total extends TotalRows.TotalRow {
  readonly asset: string
}

/** Makes the sheet of the totals: those that Markdown shows. */
export const table = ({ totals }: Report.Report): Sheet.Table =>
  Sheet.table<Total>(
    "Totals",
    [
      { title: "Asset", kind: "text", width: 18, cell: ({ asset }) => asset },
      { title: "Line", kind: "text", width: 14, cell: ({ label }) => label },
      { title: "Deposits", kind: "count", width: 12, cell: ({ deposits }) => deposits.count },
      ...Exact.columns<Total>("Sum of deposits", ({ deposits }) => deposits.sum),
      { title: "Transfers", kind: "count", width: 12, cell: ({ transfers }) => transfers.count },
      ...Exact.columns<Total>("Sum of transfers", ({ transfers }) => transfers.sum),
      ...Exact.columns<Total>("Difference", ({ difference }) => difference)
    ],
    totals.flatMap((total) =>
      TotalRows.rowsOf(total).map((row) => Object.assign({ asset: TotalRows.assetOf(total) }, row))
    ),
    true
  )

/** Makes the sheet of the roll-forward. */
export const rollForward = (books: Report.Books): Sheet.Table =>
  Sheet.table<ForwardLines.ForwardLine>(
    "Roll-forward",
    [
      { title: "Side", kind: "text", width: 10, cell: ({ side }) => side },
      { title: "Asset", kind: "text", width: 12, cell: ({ asset }) => asset },
      { title: "State", kind: "text", width: 14, cell: ({ state }) => state },
      { title: "Line", kind: "text", width: 18, cell: ({ label }) => label },
      { title: "Entries", kind: "count", width: 12, cell: ({ count }) => count },
      ...Exact.columns<ForwardLines.ForwardLine>("Sum", ({ sum }) => sum),
      ...(books.worth === undefined ? [] : [
        { title: "Price", kind: "text" as const, width: 14, cell: ({ price }: ForwardLines.ForwardLine) => price },
        ...Exact.columns<ForwardLines.ForwardLine>(Exact.worthIn(books.worth.currency), ({ worth }) => worth)
      ])
    ],
    ForwardLines.of(books),
    true
  )
