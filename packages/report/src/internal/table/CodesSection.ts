/** Shows the outcomes of one kind, code by code. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Priority from "../../Priority.ts"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Advice from "../content/Advice.ts"
import * as CountTitle from "../content/CountTitle.ts"
import * as LeftOut from "../content/LeftOut.ts"
import { outcomeLines } from "./OutcomeLines.ts"

/** Returns the sentences of advice about outcomes of a code, each once: nearly always it is one. */
const advised = (
  outcomes: ReadonlyArray<Outcome.Outcome>,
  scope: Advice.Scope
): ReadonlyArray<string> =>
  Array.from(new Set(outcomes.flatMap((outcome) => Advice.of(outcome, scope)?.sentence ?? [])))

/** Shows a code after an empty line: all its outcomes in order if they are at most `limit`, else half of `limit`. */
const ofCode = (report: Report.Report, count: Report.Count, limit: number, sheet: Sheet): Lines => {
  const { prices, style, width } = sheet
  const ofIt = report.outcomes.filter(({ code }) => code === count.code)
  const leftOut = LeftOut.ofCode(sheet.carries)(count.code)
  const all = Report.outcomesListed(count) - leftOut
  const shown = Priority.sorted(ofIt, { policy: report.policy, prices })
    .slice(0, all > limit ? Math.ceil(limit / 2) : limit)
  const rest = all - shown.length
  const scope = Advice.scopeOf(report)
  return [
    "",
    ...Text.wrap(`${CountTitle.of(count)} [${count.code}]`, width).map(style.strong),
    ...advised(shown.map(({ outcome }) => outcome), scope).flatMap((sentence) =>
      Text.paragraph("  ", sentence, width).map(style.faint)
    ),
    ...shown.flatMap(({ outcome, stake }) =>
      outcomeLines(
        outcome,
        sheet,
        outcome.outcome === "set-aside" ? undefined : { stake, commands: Advice.of(outcome, scope)?.commands ?? [] }
      )
    ),
    ...(rest === 0 ? [] : [style.faint(`  … and ${Text.count(rest)} more; --format json has all`)]),
    ...(leftOut === 0 ? [] : [style.faint(`  … ${Text.count(leftOut)} left out`)])
  ]
}

export const codes = (
  report: Report.Report,
  title: string,
  kind: Outcome.Kind,
  limit: number,
  sheet: Sheet
): Lines =>
  section(
    sheet,
    title,
    report.counts
      .filter(({ outcome }) => outcome === kind)
      .flatMap((count) => ofCode(report, count, limit, sheet))
      .slice(1)
  )

/** Shows the outcomes of one kind as numbers only. */
export const numbers = (report: Report.Report, title: string, kind: Outcome.Kind, sheet: Sheet): Lines =>
  section(
    sheet,
    title,
    report.counts
      .filter(({ outcome }) => outcome === kind)
      .map((count) => `  ${CountTitle.of(count)} [${count.code}]`)
  )
