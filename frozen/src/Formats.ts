/** Every text that can be made of a run. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as Markdown from "@tallystick/report/Markdown"
import * as Masking from "@tallystick/report/Masking"
import * as Ndjson from "@tallystick/report/Ndjson"
import * as Table from "@tallystick/report/Table"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Facts from "./Facts.ts"
import type { Failure, Subject } from "./Subject.ts"

/** In the order in which they are shown, and in which a line of digests hints at them. */
export const names = [
  "json",
  "table",
  "wide",
  "markdown",
  "csv",
  "html",
  "masked",
  "stream",
  "parts",
  "steps"
] as const
export type Name = typeof names[number]

/** What a run says: its facts, and by format its words. */
export interface Said {
  readonly facts: string
  readonly words: ReadonlyMap<string, string>
  /** The codes of its outcomes. */
  readonly codes: ReadonlySet<string>
}

/** Half an hour beside whole ones, so that no time is right by chance; an offset is the same on every machine. */
const zone = DateTime.zoneMakeOffset(5.5 * 3_600_000)

const prices = new Map([["BTC", "65000"], ["USDT", "1"], ["ETH", "3000.5"]])

/** The page without its script and style, which are built and say nothing of the run. */
const pageData = (report: Report.Report): string =>
  Array.from(Html.parts(report))
    .map((part) => part.replace(/<meta [^>]*>\n|<style>.*?<\/style>\n|<script>.*?<\/script>\n/gs, ""))
    .join("")

/** Facts stand beside the words that are made of them: who holds the words still holds the facts. */
const wordsOf = (outcome: Outcome.Outcome): Outcome.Outcome => ({
  ...Struct.omit(outcome, ["because"]),
  candidates: outcome.candidates.map(Struct.omit(["because"]))
})

const reportOf = (report: Report.Report): Report.Report => ({ ...report, outcomes: report.outcomes.map(wordsOf) })

const eventOf = (event: Reconciliation.Event): Reconciliation.Event =>
  event._tag === "Outcome" ? { ...event, outcome: wordsOf(event.outcome) } : event

const ofReport = (report: Report.Report, { accounts }: Subject): ReadonlyArray<readonly [Name, string]> => [
  ["json", Json.render(reportOf(report))],
  ["table", Table.render(report)],
  ["wide", Table.render(report, { width: 140, color: true, limit: 3, zone, prices })],
  ["markdown", Markdown.render(report)],
  ["csv", Array.from(Csv.parts(report)).join("")],
  ["html", pageData(reportOf(report))],
  ["masked", Json.render(reportOf(Masking.report(report, accounts)))]
]

const told = ({ _tag, message }: Failure): string => `failed with ${_tag}: ${message}\n`

const linesOf = (events: ReadonlyArray<Reconciliation.Event>): Effect.Effect<string> =>
  Effect.map(Stream.runCollect(Ndjson.lines(Stream.fromIterable(events.map(eventOf)))), (lines) => lines.join(""))

/** Runs everything. A run that fails says that it does. */
export const of = Effect.fnUntraced(function*(subject: Subject): Effect.fn.Return<Said> {
  const words = new Map<string, string>()
  const facts: Array<string> = []
  const report = yield* Effect.result(subject.report)
  if (Result.isFailure(report)) words.set("json", told(report.failure))
  else {
    facts.push(Facts.ofReport(report.success))
    for (const [name, text] of ofReport(report.success, subject)) words.set(name, text)
  }
  for (const [name, stream] of Object.entries(subject.streams)) {
    const events = yield* Effect.result(Stream.runCollect(stream))
    if (Result.isFailure(events)) words.set(name, told(events.failure))
    else {
      facts.push(Facts.ofEvents(name, events.success))
      const lines = yield* linesOf(events.success)
      // When an outcome is told depends on the steps, and nobody is promised their order.
      words.set(name, name === "steps" ? lines.split("\n").toSorted().join("\n") : lines)
    }
  }
  const outcomes = Result.isSuccess(report) ? report.success.outcomes : []
  return { facts: facts.join(""), words, codes: new Set(outcomes.map(({ code }) => code)) }
})
