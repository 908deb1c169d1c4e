/**
 * Shows the control totals of each asset: the entries of the range that came in on either side, and their outcomes; and apart from
 * them the entries of other days.
 */
import type * as Report from "@tallystick/reconcile/Report"
import * as Grid from "../../text/Grid.ts"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as TotalRows from "../content/TotalRows.ts"

const columns: ReadonlyArray<Grid.Column> = [
  { title: "", align: "left" },
  { title: "deposits", align: "right" },
  { title: "sum", align: "decimal" },
  { title: "transfers", align: "right" },
  { title: "sum", align: "decimal" },
  { title: "difference", align: "decimal" }
]

const cellsOf = (total: Report.Total): ReadonlyArray<ReadonlyArray<string>> =>
  TotalRows.rowsOf(total).map(({ deposits, difference, label, transfers }) => [
    `  ${label}`,
    Text.count(deposits.count),
    deposits.sum,
    Text.count(transfers.count),
    transfers.sum,
    difference
  ])

/** Makes one grid for all assets while it fits; else each asset has its own grid, as wide as it must be. */
export const totals = (report: Report.Report, sheet: Sheet): Lines => {
  const { style, width } = sheet
  const rows = report.totals.map(cellsOf)
  const common = Grid.lines(columns, rows.flat())
  const fits = [common.header, ...common.rows].every((line) => Text.width(line) <= width)
  let at = 0
  const lines = report.totals.flatMap((total, index) => {
    const own = rows[index] ?? []
    const grid = fits ? { rows: common.rows.slice(at, at + own.length) } : Grid.lines(columns, own)
    at += own.length
    return [
      style.strong(Text.plain(TotalRows.assetOf(total))),
      ...("header" in grid ? [style.faint(grid.header)] : []),
      ...grid.rows
    ]
  })
  if (lines.length === 0) return []
  return section(sheet, "TOTALS", [
    ...(fits ? [style.faint(common.header)] : []),
    ...lines,
    ...TotalRows.legend(report.totals).flatMap((text) => Text.wrap(text, width)).map(style.faint)
  ])
}
