/** Shows the verdict, and the facts behind it. */
import type * as Report from "@tallystick/reconcile/Report"
import type { Lines, Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Verdict from "../../Verdict.ts"
import * as Headline from "../content/Headline.ts"
import * as LeftOut from "../content/LeftOut.ts"
import * as Warnings from "../content/Warnings.ts"

const LABEL = 11

export const heading = (report: Report.Report, sheet: Sheet): Lines => {
  const { carries, prices, style, times, width } = sheet
  const paint = style[Verdict.grade(report)]
  const fact = ({ label, text }: Headline.Fact): Lines =>
    Text.paragraph(Text.padEnd(label, LABEL), Text.plain(text), width)
  return [
    ...Text.wrap(Text.plain(Verdict.sentence(report)), width).map((line) => paint(style.strong(line))),
    "",
    ...Headline.facts(report, times, prices).flatMap(fact),
    ...LeftOut.facts(carries).flatMap(fact),
    ...Warnings.of(report).flatMap((text) => fact({ label: "Warning", text }).map(style.doubtful))
  ]
}
