/**
 * Writes the report as a workbook for Excel and other spreadsheets: a sheet each for the summary, for what needs attention, for all entries
 * and for the totals; and one for the roll-forward, where the run brought books forward.
 *
 * Amounts and ids are exact text. Beside an amount stands a number for sums and filters, which spreadsheets round, and beside the text of a
 * time a date, as a clock in the zone shows it. No cell is a formula, whatever a stranger wrote. The same report gives the same bytes.
 */
import type * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as Identity from "./Identity.ts"
import * as Figures from "./internal/content/Figures.ts"
import * as FigureText from "./internal/content/FigureText.ts"
import * as LeftOut from "./internal/content/LeftOut.ts"
import * as Sentences from "./internal/content/Sentences.ts"
import * as Breaks from "./internal/xlsx/Breaks.ts"
import * as Entries from "./internal/xlsx/Entries.ts"
import * as Summary from "./internal/xlsx/Summary.ts"
import * as Totals from "./internal/xlsx/Totals.ts"
import * as Workbook from "./internal/xlsx/Workbook.ts"
import type * as Prices from "./Prices.ts"
import * as Times from "./text/Times.ts"

/** These options say how the workbook is written. */
export interface Options extends LeftOut.Options {
  /** The zone of dates and times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The prices, which fill `Price` and `Worth` and decide which rows come first. */
  readonly prices?: Prices.Prices | undefined
  /** The name of the currency of the prices, as in USD. */
  readonly currency?: string | undefined
}

/**
 * Returns the bytes of the file in parts. A sheet of more rows than a spreadsheet can hold (1,048,576) goes on in another one. The text of a
 * cell that is longer than 32,767 characters is cut, and says so.
 */
export const parts = (whole: Report.Report, { currency, only, prices, zone }: Options = {}): Iterable<Uint8Array> => {
  const { carries, report: made } = LeftOut.shown(whole, { only })
  const report = Sentences.breaks(made, zone)
  const times = Times.make(zone)
  const { books } = report
  const figures = FigureText.of(Figures.of(whole, prices), times, currency)
  return Workbook.parts({
    title: Identity.title(report, zone),
    made: report.identity?.madeAt ?? null,
    tables: [
      Summary.table(report, { carries, figures, identity: Identity.facts(report, zone), prices, currency, times }),
      Breaks.table(report, { prices, currency, zone }),
      Entries.table(carries === undefined ? "All entries" : "Entries", report, { prices, currency, zone }),
      Totals.table(report),
      ...(books === undefined ? [] : [Totals.rollForward(books)])
    ]
  })
}
