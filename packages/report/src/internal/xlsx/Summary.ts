/** The sheet of the summary: the verdict, the facts that it rests on, and a row for each code. */
import type * as Extract from "@tallystick/reconcile/Extract"
import type * as Report from "@tallystick/reconcile/Report"
import type * as Identity from "../../Identity.ts"
import type * as Prices from "../../Prices.ts"
import * as OtherDays from "../../text/OtherDays.ts"
import type * as Times from "../../text/Times.ts"
import * as Titles from "../../Titles.ts"
import * as Verdict from "../../Verdict.ts"
import * as Ages from "../content/Ages.ts"
import type * as FigureText from "../content/FigureText.ts"
import * as Headline from "../content/Headline.ts"
import * as KindTitle from "../content/KindTitle.ts"
import * as LeftOut from "../content/LeftOut.ts"
import * as Warnings from "../content/Warnings.ts"
import * as Sheet from "./Sheet.ts"

interface Row {
  readonly label: string
  readonly text: string
  readonly numbers?: Partial<Pick<Report.Count, "outcomes" | "deposits" | "transfers">> & { readonly entries?: number }
}

const countRows = ({ code, deposits, ofOtherDays, outcome, outcomes, transfers }: Report.Count): ReadonlyArray<Row> => [
  {
    label: code,
    text: `${Titles.title(code, outcomes)} (${KindTitle.of(outcome)})`,
    numbers: { outcomes, deposits, transfers }
  },
  ...(ofOtherDays === undefined ? [] : [{
    label: code,
    text: `${Titles.title(code, ofOtherDays.outcomes)} (${KindTitle.of(outcome)}), ${OtherDays.SEVERAL}`,
    numbers: ofOtherDays
  }])
]

const ageRows = ({ ageing, asOf }: Report.Report, times: Times.Times): ReadonlyArray<Row> =>
  asOf === null ? [] : ageing.filter(Ages.isAny).map((age) => ({
    label: "Age",
    text: `breaks ${Ages.label(age)} old at ${times.bound(asOf)} (${times.zone})`,
    numbers: { outcomes: age.outcomes, entries: age.entries }
  }))

/** Makes the sheet. */
export const table = (
  report: Report.Report,
  { carries, currency, figures, identity, prices, times }: {
    readonly figures: ReadonlyArray<FigureText.FigureText>
    readonly identity: ReadonlyArray<Identity.Fact>
    readonly carries: Extract.Carries | undefined
    readonly prices: Prices.Prices | undefined
    readonly currency: string | undefined
    readonly times: Times.Times
  }
): Sheet.Table =>
  Sheet.table<Row>(
    "Summary",
    [
      { title: "What", kind: "text", width: 22, cell: ({ label }) => label },
      { title: "Facts", kind: "prose", width: 110, cell: ({ text }) => text },
      { title: "Outcomes", kind: "count", width: 11, cell: ({ numbers }) => numbers?.outcomes },
      { title: "Deposits", kind: "count", width: 11, cell: ({ numbers }) => numbers?.deposits },
      { title: "Transfers", kind: "count", width: 11, cell: ({ numbers }) => numbers?.transfers },
      { title: "Entries", kind: "count", width: 11, cell: ({ numbers }) => numbers?.entries }
    ],
    [
      { label: "Verdict", text: Verdict.sentence(report) },
      ...figures.map(({ label, note, value }) => ({ label, text: note === "" ? value : `${value}: ${note}` })),
      ...identity,
      ...LeftOut.facts(carries),
      ...Headline.facts(report, times, { prices, currency }),
      ...Warnings.of(report).map((text) => ({ label: "Warning", text })),
      {
        label: "Numbers",
        text:
          "Amounts stand as exact text. A spreadsheet keeps 15 digits of a number: the columns marked as rounded are for sums and filters."
      },
      ...report.counts.flatMap(countRows),
      ...ageRows(report, times)
    ],
    true
  )
