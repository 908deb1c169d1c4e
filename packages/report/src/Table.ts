/**
 * Writes the report for a terminal, to be read from top to bottom. Amounts are not grouped, because a copy from a terminal
 * holds exactly what it shows.
 */
import type * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as CountedRange from "./internal/content/CountedRange.ts"
import * as LeftOut from "./internal/content/LeftOut.ts"
import * as Sentences from "./internal/content/Sentences.ts"
import { ageing } from "./internal/table/AgeingSection.ts"
import { books } from "./internal/table/BooksSection.ts"
import { codes, numbers } from "./internal/table/CodesSection.ts"
import { coverage } from "./internal/table/CoverageSection.ts"
import { heading } from "./internal/table/Heading.ts"
import { totals } from "./internal/table/TotalsSection.ts"
import { undetermined } from "./internal/table/Undetermined.ts"
import type * as Prices from "./Prices.ts"
import type { Sheet } from "./text/Sheet.ts"
import * as Style from "./text/Style.ts"
import * as Times from "./text/Times.ts"

/** These options say how the table is written. */
export interface Options extends LeftOut.Options {
  /** The width of a line in cells; default 100, at least 60. Amounts and ids are never cut, and may be wider. */
  readonly width?: number | undefined
  /** Whether to use colours; default no. */
  readonly color?: boolean | undefined
  /** The zone of all times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The number of outcomes up to which a code is shown whole; of a longer one half as many are shown. Default 10. */
  readonly limit?: number | undefined
  /** The price of one unit of an asset: with prices the most money comes first, else the order is by asset and difference. */
  readonly prices?: Prices.Prices | undefined
  /** The name of the currency of the prices, as in USD. */
  readonly currency?: string | undefined
}

/** Returns the lines of the report. */
const lines = (whole: Report.Report, options: Options = {}): ReadonlyArray<string> => {
  const { color = false, limit = 10, prices, width = 100, zone } = options
  const { carries, report: made } = LeftOut.shown(whole, options)
  const report = Sentences.breaks(made, zone)
  const sheet: Sheet = {
    width: Math.max(60, width),
    style: color ? Style.colored : Style.none,
    times: Times.make(zone),
    limit,
    prices,
    currency: options.currency,
    asOf: report.asOf,
    at: Sentences.momentsOf(made, zone).at,
    range: CountedRange.of(report),
    carries
  }
  const few = Math.ceil(limit / 3)
  return [
    ...heading(whole, sheet, zone),
    ...books(report, sheet),
    ...totals(report, sheet),
    ...codes(report, "BREAKS", "discrepancy", limit, sheet),
    ...ageing(report, sheet),
    ...undetermined(report, sheet),
    ...codes(report, "PENDING", "pending", few, sheet),
    ...codes(report, "SET ASIDE", "set-aside", few, sheet),
    ...numbers(report, "MATCHED", "matched", sheet),
    ...coverage(report, sheet)
  ]
}

/** Returns the report as one text that ends in a line break. */
export const render = (report: Report.Report, options?: Options): string => `${lines(report, options).join("\n")}\n`
