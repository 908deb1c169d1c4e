/**
 * Writes the report as Markdown (GitHub's), for a ticket or a mail: verdict, books, control totals, counts, lags, ages, breaks,
 * coverage.
 *
 * Amounts are exact and ungrouped. A stranger's text comes out as text, whatever it contains.
 */
import type * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as Identity from "./Identity.ts"
import * as Advice from "./internal/content/Advice.ts"
import * as Ages from "./internal/content/Ages.ts"
import * as CountedRange from "./internal/content/CountedRange.ts"
import * as Figures from "./internal/content/Figures.ts"
import * as FigureText from "./internal/content/FigureText.ts"
import * as Headline from "./internal/content/Headline.ts"
import * as KindTitle from "./internal/content/KindTitle.ts"
import * as LeftOut from "./internal/content/LeftOut.ts"
import * as Readings from "./internal/content/Readings.ts"
import * as Sentences from "./internal/content/Sentences.ts"
import * as TotalRows from "./internal/content/TotalRows.ts"
import * as Warnings from "./internal/content/Warnings.ts"
import * as Blocks from "./internal/markdown/Blocks.ts"
import * as BooksBlock from "./internal/markdown/BooksBlock.ts"
import * as Breaks from "./internal/markdown/Breaks.ts"
import * as Escape from "./internal/markdown/Escape.ts"
import type * as Prices from "./Prices.ts"
import * as OtherDays from "./text/OtherDays.ts"
import * as Text from "./text/Text.ts"
import * as Times from "./text/Times.ts"
import * as Titles from "./Titles.ts"
import * as Verdict from "./Verdict.ts"

/** These options say how the Markdown is written. */
export interface Options extends LeftOut.Options {
  /** The zone of all times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The price of one unit of an asset: with prices the most money comes first, else the order is by asset and difference. */
  readonly prices?: Prices.Prices | undefined
  /** The name of the currency of the prices, as in USD. */
  readonly currency?: string | undefined
  /** The largest number of breaks that are shown; default 50. The report says how many are left out. */
  readonly limit?: number | undefined
}

const number = (title: string): Blocks.Column => ({ title, isNumber: true })

const totals = (report: Report.Report): Blocks.Lines =>
  Blocks.section(
    "Control totals",
    [
      ...Blocks.table(
        [
          { title: "Asset" },
          { title: "Line" },
          number("Deposits"),
          number("Sum"),
          number("Transfers"),
          number("Sum"),
          number("Difference")
        ],
        report.totals.flatMap((total) =>
          TotalRows.rowsOf(total).map(({ deposits, difference, label, transfers }) => [
            Escape.prose(TotalRows.assetOf(total)),
            label,
            Text.count(deposits.count),
            deposits.sum,
            Text.count(transfers.count),
            transfers.sum,
            difference
          ])
        )
      ),
      ...(report.totals.some(({ ofOtherDays }) => ofOtherDays !== undefined)
        ? TotalRows.legend(report.totals).flatMap((text) => Blocks.item(`${text}.`)).concat("")
        : [])
    ]
  )

/** Writes the row of a code, and where it has any another one of what belongs to other days. */
const countRows = ({ code, deposits, ofOtherDays, outcome, outcomes, transfers }: Report.Count) => {
  const row = (numbers: NonNullable<Report.Count["ofOtherDays"]>, day = ""): ReadonlyArray<string> => [
    KindTitle.of(outcome),
    code,
    Titles.title(code, numbers.outcomes) + day,
    Text.count(numbers.outcomes),
    Text.count(numbers.deposits),
    Text.count(numbers.transfers)
  ]
  return [
    row({ outcomes, deposits, transfers }),
    ...(ofOtherDays === undefined ? [] : [row(ofOtherDays, `, ${OtherDays.SEVERAL}`)])
  ]
}

const counts = (report: Report.Report): Blocks.Lines =>
  Blocks.section(
    "Outcomes",
    Blocks.table(
      [
        { title: "Outcome" },
        { title: "Code" },
        { title: "Meaning" },
        number("Outcomes"),
        number("Deposits"),
        number("Transfers")
      ],
      report.counts.flatMap(countRows)
    )
  )

const lags = ({ lags }: Report.Report): Blocks.Lines => {
  if (lags === null) return []
  const { count, max, min, p50, p90, p99 } = lags
  const named = [["least", min], ["half within", p50], ["90 % within", p90], ["99 % within", p99], [
    "longest",
    max
  ]] as const
  return Blocks.section(
    `Time to sweep: ${Text.counted(count, "stated pair")}`,
    Blocks.table(
      [{ title: "" }, number("Time"), number("ms")],
      named.map(([label, ms]) => [label, label === "least" ? Times.duration(ms) : Times.atMost(ms), String(ms)])
    )
  )
}

const ageing = ({ ageing, asOf }: Report.Report, times: Times.Times): Blocks.Lines =>
  asOf === null || !ageing.some(Ages.isAny) ? [] : Blocks.section(
    `Ageing of breaks at ${times.bound(asOf)} (${times.zone})`,
    Blocks.table(
      [{ title: "Age" }, number("Breaks"), number("Entries")],
      ageing.map((age) => [Ages.label(age), Text.count(age.outcomes), Text.count(age.entries)])
    )
  )

const coverage = (report: Report.Report, { limit, times }: Breaks.Sheet): Blocks.Lines => {
  const found = Readings.of(report.coverage)
  const hidden = found.length - limit
  return Blocks.section("Coverage", [
    ...found.slice(0, limit).flatMap((reading) => Blocks.item(Escape.prose(Readings.sentence(reading, times)))),
    ...(hidden > 0 ? Blocks.item(`… and ${Text.counted(hidden, "more interval")}, which the JSON report has`) : []),
    ""
  ])
}

/** Returns the report as one text that ends in a line break. */
export const render = (whole: Report.Report, { currency, limit = 50, only, prices, zone }: Options = {}): string => {
  const { carries, report: made } = LeftOut.shown(whole, { only })
  const report = Sentences.breaks(made, zone)
  const times = Times.make(zone)
  const sheet: Breaks.Sheet = {
    times,
    at: Sentences.momentsOf(made, zone).at,
    prices,
    currency,
    limit,
    asOf: report.asOf,
    all: whole.outcomes,
    scope: Advice.scopeOf(report),
    range: CountedRange.of(report)
  }
  const figures = FigureText.of(Figures.of(whole, prices), times, currency)
  const lines = [
    `# ${Escape.prose(Identity.title(report, zone))}`,
    "",
    `**${Escape.prose(Verdict.sentence(report))}**`,
    "",
    ...Blocks.table(
      figures.map(({ label }) => ({ title: label })),
      [
        figures.map(({ value }) => `**${Escape.prose(value)}**`),
        ...(figures.some(({ note }) => note !== "")
          ? [figures.map(({ note }) => (note === "" ? "" : Escape.prose(note)))]
          : [])
      ]
    ),
    ...[
      ...Identity.facts(report, zone),
      ...Headline.facts(report, times, { prices, currency }),
      ...LeftOut.facts(carries)
    ].flatMap((
      { label, text }
    ) => Blocks.item(`${label}: ${Escape.prose(text)}`)),
    ...Warnings.of(report).flatMap((warning) => Blocks.item(`Warning: ${Escape.prose(warning)}`)),
    "",
    ...BooksBlock.books(report),
    ...totals(report),
    ...counts(report),
    ...lags(report),
    ...ageing(report, times),
    ...Breaks.discrepancies(report, sheet),
    ...Breaks.undetermined(report, sheet),
    ...Breaks.badRecords(report, sheet),
    ...coverage(report, sheet)
  ]
  return `${lines.join("\n").trimEnd()}\n`
}
