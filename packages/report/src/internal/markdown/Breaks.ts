/** Shows the breaks one by one: their entries, their sentences, and their candidates. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import type * as Prices from "../../Prices.ts"
import * as Priority from "../../Priority.ts"
import * as OtherDays from "../../text/OtherDays.ts"
import * as Route from "../../text/Route.ts"
import * as ShortId from "../../text/ShortId.ts"
import * as Text from "../../text/Text.ts"
import type * as Times from "../../text/Times.ts"
import * as Advice from "../content/Advice.ts"
import * as BreakFacts from "../content/BreakFacts.ts"
import * as Gaps from "../content/Gaps.ts"
import type * as Stakes from "../content/Stakes.ts"
import * as Blocks from "./Blocks.ts"
import * as Escape from "./Escape.ts"

export interface Sheet {
  readonly times: Times.Times
  /** Writes a moment as sentences do. */
  readonly at: (ms: number) => string
  /** The range by which the report counts: entries outside of it are marked. */
  readonly range: Report.Summary["range"]
  readonly prices: Prices.Prices | undefined
  /** The name of their currency. */
  readonly currency: string | undefined
  /** The last reading, to which ages are counted, Unix ms. */
  readonly asOf: number | null
  /** All outcomes of the report, also those that are not shown: headings count them. */
  readonly all: ReadonlyArray<Outcome.Outcome>
  /** What commands can refer to. */
  readonly scope: Advice.Scope
  /** The largest number of breaks that are shown, and of gaps. */
  readonly limit: number
}

/** The largest number of entries of one side, and of candidates, that a break shows. */
const ENTRIES = 8
const CANDIDATES = 3

const more = (all: number, shown: number, one: string, several: string): Blocks.Lines =>
  all > shown ? [`… and ${Text.counted(all - shown, `more ${one}`, `more ${several}`)}, which the JSON report has`] : []

const entryOf = ({ range, times }: Sheet) => (entry: Entry.Entry): string =>
  `${entry.side === "deposit" ? "Deposit" : "Transfer"} of ${entry.amount} ${Escape.prose(entry.asset)} at ${
    times.instant(entry.at)
  }, ${Escape.prose(Route.of(entry))}${entry.status === "settled" ? "" : `, ${entry.status}`}${
    Report.isInRange(range)(entry) ? "" : `, ${OtherDays.ONE}`
  }: ${Escape.code(ShortId.of(entry.id))}`

const sideOf = (entries: ReadonlyArray<Entry.Entry>, sheet: Sheet): Blocks.Lines => [
  ...entries.slice(0, ENTRIES).map(entryOf(sheet)),
  ...more(
    entries.length,
    ENTRIES,
    entries[0]?.side ?? "entry",
    entries[0]?.side === "deposit" ? "deposits" : "transfers"
  )
]

const candidatesOf = ({ candidates, code, deposits, transfers }: Outcome.Outcome): Blocks.Lines => {
  const own = new Set([...deposits, ...transfers].map(({ id, side }) => `${side} ${id}`))
  // The versions of a conflict stand above already.
  const others = candidates.filter(({ id, side }) => code !== "source-conflict" || !own.has(`${side} ${id}`))
  return [
    ...others.slice(0, CANDIDATES).map(({ id, reason, side }) =>
      `Not taken: ${side} ${Escape.code(id)}: ${Escape.prose(reason)}`
    ),
    ...more(others.length, CANDIDATES, "candidate", "candidates")
  ]
}

const breakOf = (outcome: Outcome.Outcome, stake: Stakes.Stake, sheet: Sheet): Blocks.Lines => {
  const { asOf, at, currency, prices, scope } = sheet
  const [difference = "", ...facts] = BreakFacts.of(outcome, stake, Escape.prose, {
    asOf,
    hasPrices: prices !== undefined,
    currency,
    at
  })
  const advice = Advice.of(outcome, scope)
  return Blocks.item(
    `**${difference}**, ${[outcome.code, ...facts].join(", ")}`,
    [
      `Why: ${Escape.prose(outcome.explanation)}`,
      ...sideOf(outcome.deposits, sheet),
      ...sideOf(outcome.transfers, sheet),
      ...candidatesOf(outcome),
      ...(advice === undefined ? [] : [`To do: ${advice.sentence}`]),
      ...(advice?.commands ?? []).map(({ label, text }) => `${label}: ${Escape.code(text)}`),
      `Outcome ${Escape.code(outcome.id)}`
    ]
  )
}

/** Says `All of them, …` or how many are left out, as a paragraph. */
const extent = (all: number, shown: number, order: string): Blocks.Lines =>
  all > shown
    ? [
      `The first ${Text.count(shown)} of ${Text.count(all)}, ${order}; ${
        Text.count(all - shown)
      } are left out here, and the JSON report has them.`,
      ""
    ]
    : []

/** Says how many of these outcomes nobody accepted, of the range and of other days, and how many are accepted. */
const numbered = (outcomes: ReadonlyArray<Outcome.Outcome>, { range }: Sheet): string => {
  const open = outcomes.filter(({ accepted }) => accepted === undefined)
  const own = open.filter(Report.isOfRange(range)).length
  const others = open.length - own
  const accepted = outcomes.length - open.length
  return Text.count(own) + (others === 0 ? "" : `, and ${Text.count(others)} ${OtherDays.SEVERAL}`) +
    (accepted === 0 ? "" : `; ${Text.count(accepted)} accepted`)
}

/** Says how many were asked for, where that is not all. */
const asked = (all: number, found: number): Blocks.Lines =>
  all > found ? [`${Text.count(found)} of these ${Text.count(all)} were asked for.`, ""] : []

/** Shows the breaks, the first ones in order. */
export const discrepancies = (report: Report.Report, sheet: Sheet): Blocks.Lines => {
  const { limit, prices } = sheet
  const isBreak = ({ outcome }: Outcome.Outcome): boolean => outcome === "discrepancy"
  const all = sheet.all.filter(isBreak)
  const found = report.outcomes.filter(isBreak)
  const shown = Priority.sorted(found, { policy: report.policy, prices }).slice(0, limit)
  if (found.length === 0) return []
  return Blocks.section(`Breaks: ${numbered(all, sheet)}`, [
    ...asked(all.length, found.length),
    ...extent(found.length, shown.length, prices === undefined ? "by asset and difference" : "most money first"),
    ...shown.flatMap(({ outcome, stake }) => breakOf(outcome, stake, sheet)),
    ""
  ])
}

/** Shows the undetermined outcomes, by their gaps. */
export const undetermined = (report: Report.Report, sheet: Sheet): Blocks.Lines => {
  const gaps = Gaps.of(report.outcomes)
  const shown = gaps.slice(0, sheet.limit)
  if (gaps.length === 0) return []
  return Blocks.section("Not decidable", [
    ...extent(gaps.length, shown.length, "gap by gap"),
    ...shown.flatMap((gap) => {
      const entries = gap.outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers])
      return Blocks.item(Escape.prose(Gaps.sentence(gap, sheet.times, sheet.range)), [
        ...entries.slice(0, CANDIDATES).map(entryOf(sheet)),
        ...more(entries.length, CANDIDATES, "entry", "entries")
      ])
    }),
    ""
  ])
}

/** Shows the records that could not be read. */
export const badRecords = (report: Report.Report, { limit }: Sheet): Blocks.Lines => {
  const found = report.outcomes.filter(({ code }) => code === "bad-record")
  if (found.length === 0) return []
  const shown = found.slice(0, limit)
  return Blocks.section(`Records that could not be read: ${Text.count(found.length)}`, [
    ...extent(found.length, shown.length, "as they came"),
    ...shown.flatMap(({ explanation }) => Blocks.item(`Why: ${Escape.prose(explanation)}`)),
    ""
  ])
}
