/** Shows the verdict, and the facts behind it. */
import type * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as Identity from "../../Identity.ts"
import type { Lines, Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Verdict from "../../Verdict.ts"
import * as Figures from "../content/Figures.ts"
import * as FigureText from "../content/FigureText.ts"
import * as Headline from "../content/Headline.ts"
import * as LeftOut from "../content/LeftOut.ts"
import * as Warnings from "../content/Warnings.ts"

const LABEL = 15

/** `report` is the whole report, also where outcomes are left out below. */
export const heading = (report: Report.Report, sheet: Sheet, zone: DateTime.TimeZone | undefined): Lines => {
  const { carries, currency, prices, style, times, width } = sheet
  const paint = style[Verdict.grade(report)]
  const fact = ({ label, text }: Headline.Fact): Lines =>
    Text.paragraph(Text.padEnd(label, LABEL), Text.plain(text), width)
  const figures = FigureText.of(Figures.of(report, prices), times, currency)
  return [
    ...Text.wrap(Text.plain(Identity.title(report, zone)), width).map(style.strong),
    ...Text.wrap(Text.plain(Verdict.sentence(report)), width).map((line) => paint(style.strong(line))),
    "",
    ...figures.flatMap(({ label, note, value }) => fact({ label, text: note === "" ? value : `${value}: ${note}` })),
    "",
    ...Identity.facts(report, zone).flatMap(fact),
    ...Headline.facts(report, times, { prices, currency }).flatMap(fact),
    ...LeftOut.facts(carries).flatMap(fact),
    ...Warnings.of(report).flatMap((text) => fact({ label: "Warning", text }).map(style.doubtful))
  ]
}
