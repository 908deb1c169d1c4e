/** The sheet of what needs attention: a row for each break, for each outcome that is undetermined, and for each record that could not be read. */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import type * as Prices from "../../Prices.ts"
import * as Priority from "../../Priority.ts"
import * as FinalText from "../../text/FinalText.ts"
import * as Titles from "../../Titles.ts"
import * as Advice from "../content/Advice.ts"
import * as BreakFacts from "../content/BreakFacts.ts"
import * as CountedRange from "../content/CountedRange.ts"
import * as Sentences from "../content/Sentences.ts"
import * as Exact from "./Exact.ts"
import * as LocalTime from "./LocalTime.ts"
import * as Sheet from "./Sheet.ts"

type Row = ReturnType<typeof Priority.sorted>[number]

const needsAttention = ({ code, outcome }: Outcome.Outcome): boolean =>
  outcome === "discrepancy" || outcome === "undetermined" || code === "bad-record"

const at = ({ outcome }: Row): number | undefined => {
  const earliest = Outcome.earliest(outcome)
  return Number.isFinite(earliest) ? earliest : undefined
}

const DAY = 86_400_000

const decisionOf = ({ accepted }: Outcome.Outcome): string =>
  accepted === undefined
    ? ""
    : `decision ${accepted.decision} by ${accepted.by}, ${accepted.reason}: ${accepted.words}${
      accepted.provisional === true ? " (provisional)" : ""
    }`

const stateOf = (outcome: Outcome.Outcome, at: (ms: number) => string): string =>
  outcome.accepted === undefined ? FinalText.of(outcome, at) : "accepted"

const each = (entries: ReadonlyArray<Entry.Entry>, of: (entry: Entry.Entry) => string | undefined): string =>
  Array.from(new Set(entries.flatMap((entry) => of(entry) ?? []))).join(", ")

/** Makes the sheet, in the order of attention. */
export const table = (
  report: Report.Report,
  { currency, prices, zone }: {
    readonly prices: Prices.Prices | undefined
    readonly currency: string | undefined
    readonly zone: DateTime.TimeZone | undefined
  }
): Sheet.Table => {
  const isOfRange = Report.isOfRange(CountedRange.of(report))
  const { asOf, policy } = report
  const scope = Advice.scopeOf(report)
  const { at: moment } = Sentences.momentsOf(report, zone)
  const both = ({ outcome: { deposits, transfers } }: Row) => [...deposits, ...transfers]
  return Sheet.table<Row>(
    "Breaks",
    [
      { title: "What", kind: "prose", width: 30, cell: ({ outcome }) => Titles.title(outcome.code, 1) },
      { title: "Why", kind: "prose", width: 80, cell: ({ outcome }) => outcome.explanation },
      ...Exact.columns<Row>("Missing", ({ stake }) => stake.difference?.missing),
      ...Exact.columns<Row>("Too much", ({ stake }) => stake.difference?.excess),
      ...Exact.columns<Row>("Difference", ({ stake }) => stake.difference?.size),
      { title: "Known", kind: "text", width: 10, cell: ({ stake }) => stake.difference?.bound },
      ...Exact.columns<Row>("Other too much", ({ stake }) => stake.difference?.other?.excess),
      { title: "Other asset", kind: "text", width: 10, cell: ({ stake }) => stake.difference?.other?.asset },
      { title: "Asset", kind: "text", width: 10, cell: ({ stake }) => stake.asset },
      ...(prices === undefined
        ? []
        : Exact.columns<Row>(Exact.worthIn(currency), ({ stake }) => stake.worth ?? undefined)),
      { title: "Account", kind: "text", width: 16, cell: (row) => each(both(row), ({ account }) => account) },
      ...LocalTime.columns<Row>(zone, at),
      {
        title: "Age in days",
        kind: "rounded",
        width: 12,
        cell: ({ outcome }) => {
          const age = BreakFacts.ageOf(outcome, asOf)
          return age === undefined ? undefined : String(Math.floor(age * 100 / DAY) / 100)
        }
      },
      { title: "State", kind: "prose", width: 24, cell: ({ outcome }) => stateOf(outcome, moment) },
      ...LocalTime.columns<Row>(zone, ({ outcome }) => outcome.finalFrom, "Final at the earliest"),
      { title: "Decision", kind: "prose", width: 40, cell: ({ outcome }) => decisionOf(outcome) },
      { title: "To do", kind: "prose", width: 50, cell: ({ outcome }) => Advice.of(outcome, scope)?.sentence },
      {
        title: "Command",
        kind: "text",
        width: 36,
        cell: ({ outcome }) => Advice.of(outcome, scope)?.commands[0]?.text
      },
      { title: "Of this range", kind: "text", width: 12, cell: ({ outcome }) => (isOfRange(outcome) ? "yes" : "no") },
      { title: "Kind", kind: "text", width: 14, cell: ({ outcome }) => outcome.outcome },
      { title: "Code", kind: "text", width: 20, cell: ({ outcome }) => outcome.code },
      { title: "Deposits", kind: "count", width: 12, cell: ({ outcome }) => outcome.deposits.length },
      { title: "Transfers", kind: "count", width: 12, cell: ({ outcome }) => outcome.transfers.length },
      {
        title: "Ids of deposits",
        kind: "text",
        width: 30,
        cell: ({ outcome }) => each(outcome.deposits, ({ id }) => id)
      },
      {
        title: "Ids of transfers",
        kind: "text",
        width: 30,
        cell: ({ outcome }) => each(outcome.transfers, ({ id }) => id)
      },
      { title: "Outcome", kind: "text", width: 20, cell: ({ outcome }) => outcome.id }
    ],
    Priority.sorted(report.outcomes.filter(needsAttention), { policy, prices })
  )
}
