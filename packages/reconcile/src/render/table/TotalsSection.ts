/** Control totals: per asset, what came in on either side and what became of it. */
import type * as Report from "../../Report.ts"
import * as Grid from "../Grid.ts"
import * as Text from "../Text.ts"
import { type Lines, section, type Sheet } from "./Sheet.ts"

const columns: ReadonlyArray<Grid.Column> = [
  { title: "", align: "left" },
  { title: "deposits", align: "right" },
  { title: "sum", align: "decimal" },
  { title: "transfers", align: "right" },
  { title: "sum", align: "decimal" },
  { title: "difference", align: "decimal" }
]

const buckets = [
  ["in", "in", "total"],
  ["matched", "matched", "residual"],
  ["open", "open", "open"],
  ["pending", "pending", "pending"],
  ["undetermined", "undetermined", "undetermined"],
  ["set aside", "setAside", "setAside"]
] as const

const rowsOf = ({ deposits, net, transfers }: Report.Total): ReadonlyArray<ReadonlyArray<string>> =>
  buckets.flatMap(([label, line, difference]) => {
    const [left, right] = [deposits[line], transfers[line]]
    return left.count === 0 && right.count === 0
      ? []
      : [[`  ${label}`, Text.count(left.count), left.sum, Text.count(right.count), right.sum, net[difference]]]
  })

const nameOf = ({ asset, assets }: Report.Total): string =>
  Text.plain(assets.length < 2 ? asset : `${asset} (with ${assets.filter((name) => name !== asset).join(", ")})`)

/** One grid for all assets while it fits; else each asset has its own, as wide as it must be. */
export const totals = (report: Report.Report, sheet: Sheet): Lines => {
  const { style, width } = sheet
  const rows = report.totals.map(rowsOf)
  const common = Grid.lines(columns, rows.flat())
  const fits = [common.header, ...common.rows].every((line) => Text.width(line) <= width)
  let at = 0
  const lines = report.totals.flatMap((total, index) => {
    const own = rows[index] ?? []
    const grid = fits ? { rows: common.rows.slice(at, at + own.length) } : Grid.lines(columns, own)
    at += own.length
    return [style.strong(nameOf(total)), ...("header" in grid ? [style.faint(grid.header)] : []), ...grid.rows]
  })
  if (lines.length === 0) return []
  return section(sheet, "TOTALS", [
    ...(fits ? [style.faint(common.header)] : []),
    ...lines,
    ...Text.wrap(
      "open: in discrepancies; difference: deposits minus transfers, in the line of matches what fees and tolerance left",
      width
    ).map(style.faint)
  ])
}
