/** Shows the numbers of a comparison: settings, codes, entries and control totals that differ. */
import type * as Backtest from "@tallystick/reconcile/Backtest"
import * as Grid from "../../text/Grid.ts"
import * as MirrorText from "../../text/MirrorText.ts"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Titles from "../../Titles.ts"
import * as Statements from "../policy/Statements.ts"

/** Shows each setting that differs, in the words of both policies. */
export const settings = ({ policies }: Backtest.Backtest, sheet: Sheet): Lines => {
  const of = (policy: Backtest.Backtest["policies"]["before"]) =>
    new Map(Statements.words(policy).map(({ setting, text }) => [setting, text.join(" ")] as const))
  const [before, after] = [of(policies.before), of(policies.after)]
  const paragraph = (label: string, text: string | undefined): Lines =>
    Text.paragraph(`  ${Text.padEnd(label, 8)}`, text ?? "No such setting.", sheet.width)
  const differ = Array.from(new Set([...before.keys(), ...after.keys()]))
    .filter((setting) => before.get(setting) !== after.get(setting))
  return section(
    sheet,
    "SETTINGS THAT DIFFER",
    differ.flatMap((setting) => [
      [setting],
      paragraph("before", before.get(setting)),
      paragraph("after", after.get(setting))
    ]).flat()
  )
}

/** Shows the pairs that chance alone makes under each policy. */
export const chance = ({ chance }: Backtest.Backtest, sheet: Sheet): Lines =>
  chance === undefined ? [] : section(
    sheet,
    "CHANCE",
    (["before", "after"] as const).flatMap((side) =>
      Text.paragraph(`  ${Text.padEnd(side, 8)}`, MirrorText.sentence(chance[side]), sheet.width)
    )
  )

const signed = (
  difference: number
): string => (difference > 0 ? `+${Text.count(difference)}` : difference === 0 ? "" : `-${Text.count(-difference)}`)

const grid = (
  sheet: Sheet,
  title: string,
  columns: ReadonlyArray<Grid.Column>,
  cells: ReadonlyArray<ReadonlyArray<string>>
): Lines => {
  if (cells.length === 0) return []
  const { header, rows } = Grid.fitted(columns, cells, sheet.width)
  return section(sheet, title, [...(header === undefined ? [] : [sheet.style.faint(header)]), ...rows])
}

/** Shows the number of outcomes of each code. */
export const codes = ({ codes }: Backtest.Backtest, sheet: Sheet): Lines =>
  grid(
    sheet,
    "OUTCOMES",
    [
      { title: "  before", align: "right" },
      { title: "after", align: "right" },
      { title: "", align: "right" },
      { title: "", align: "left" }
    ],
    codes.map(({ after, before, code }) => [
      Text.count(before),
      Text.count(after),
      signed(after - before),
      `${Titles.title(code, after)} [${code}]`
    ])
  )

const same = { partners: ", other partners", code: "", figures: ", other figures", accepted: ", accepted otherwise" }

/** Shows the entries that go from one code to another. */
export const groups = ({ groups }: Backtest.Backtest, sheet: Sheet): Lines =>
  grid(
    sheet,
    "ENTRIES THAT CHANGE",
    [
      { title: "  entries", align: "right" },
      { title: "before", align: "left" },
      { title: "after", align: "left" },
      { title: "asset", align: "left" },
      { title: "deposits", align: "right" },
      { title: "sum", align: "decimal" },
      { title: "transfers", align: "right" },
      { title: "sum", align: "decimal" }
    ],
    groups.flatMap(({ after, before, count, kind, sums }) => {
      const heads = [Text.count(count), before ?? "out of range", `${after ?? "out of range"}${same[kind]}`]
      const rows = sums.map(({ asset, deposits, transfers }) => [
        Text.plain(asset),
        deposits.count === 0 ? "" : Text.count(deposits.count),
        deposits.count === 0 ? "" : deposits.sum,
        transfers.count === 0 ? "" : Text.count(transfers.count),
        transfers.count === 0 ? "" : transfers.sum
      ])
      return rows.length === 0 ? [heads] : rows.map((row, index) => (index === 0 ? heads : ["", "", ""]).concat(row))
    })
  )

const buckets = [
  ["in", "in"],
  ["matched", "matched"],
  ["open", "open"],
  ["pending", "pending"],
  ["undetermined", "undetermined"],
  ["set aside", "setAside"]
] as const

/** Shows the lines of the control totals that differ. */
export const totals = (backtest: Backtest.Backtest, sheet: Sheet): Lines => {
  const cells = backtest.totals.flatMap(({ after, asset, before }) =>
    (["deposits", "transfers"] as const).flatMap((side) =>
      buckets.flatMap(([label, bucket]) => {
        const [was, is] = [before[side][bucket], after[side][bucket]]
        return was.count === is.count && was.sum === is.sum
          ? []
          : [[`  ${Text.plain(asset)}`, side, label, Text.count(was.count), was.sum, Text.count(is.count), is.sum]]
      })
    )
  )
  return grid(
    sheet,
    "TOTALS THAT DIFFER",
    [
      { title: "  asset", align: "left" },
      { title: "side", align: "left" },
      { title: "", align: "left" },
      { title: "before", align: "right" },
      { title: "sum", align: "decimal" },
      { title: "after", align: "right" },
      { title: "sum", align: "decimal" }
    ],
    cells
  )
}
