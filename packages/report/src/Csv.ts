/**
 * The report as CSV: a row for each entry, and for each record that could not be read.
 *
 * Where the run brought books of an archive forward, the first rows are their roll-forward: a row for each line that is not zero, with
 * `roll-forward` as outcome, the state as code, the sum as amount, and the number of entries in a column of its own. Where the books have
 * prices, these rows have a price and a worth, too, and there is one for the revaluation, which has a worth alone.
 *
 * Where only some outcomes were asked for, a row for each code of which some are left out comes first: `left-out` is its outcome.
 *
 * It follows RFC 4180 with CRLF, and is written as UTF-8. Amounts and times are exact text. A sum of `amount` over
 * `totals_asset`, `side` and `totals_line` is a control total; entries of other days have a line of their own.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Extract from "@tallystick/reconcile/Extract"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Advice from "./internal/content/Advice.ts"
import * as BookRows from "./internal/content/BookRows.ts"
import * as BreakFacts from "./internal/content/BreakFacts.ts"
import * as CountedRange from "./internal/content/CountedRange.ts"
import * as EntryRows from "./internal/content/EntryRows.ts"
import * as ForwardLines from "./internal/content/ForwardLines.ts"
import * as LeftOut from "./internal/content/LeftOut.ts"
import * as Sentences from "./internal/content/Sentences.ts"
import * as Cell from "./internal/csv/Cell.ts"
import * as Prices from "./Prices.ts"
import * as Text from "./text/Text.ts"
import * as Times from "./text/Times.ts"

/** These options say how the CSV is written. */
export interface Options extends LeftOut.Options {
  /** The zone of `at`; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The prices, which fill `price` and `worth` and decide which rows come first. */
  readonly prices?: Prices.Prices | undefined
  /** The name of the currency of the prices, which stands in `currency`. */
  readonly currency?: string | undefined
  /** Whether to begin with a byte order mark, without which Excel takes UTF-8 for another encoding; default yes. */
  readonly byteOrderMark?: boolean | undefined
}

type Place = "network" | "address" | "memo" | "from" | "to" | "fromType" | "toType"

type Columns = ReadonlyArray<readonly [name: string, cell: (row: EntryRows.EntryRow) => string]>

/** Lists every column, in order. */
const columnsOf = (report: Report.Report, { currency, prices, zone }: Options): Columns => {
  const times = Times.make(zone)
  const read = Sentences.alone(zone)
  const scope = Advice.scopeOf(report)
  const isInRange = Report.isInRange(CountedRange.of(report))
  const alias = Policy.aliasOf(report.policy)
  const resolved = Prices.resolve(prices ?? new Map(), report.policy.assets.aliases)
  const ofEntry = (cell: (entry: Entry.Entry) => string) => ({ entry }: EntryRows.EntryRow): string =>
    entry === undefined ? "" : cell(entry)
  const text = (key: "id" | "asset" | "status" | "account" | "reference" | Place) =>
    ofEntry((entry) => Cell.text(entry[key] ?? ""))
  const priceOf = ({ asset }: Entry.Entry): string | undefined => resolved.get(asset)
  return [
    ["outcome", ({ outcome }) => outcome.outcome],
    ["code", ({ outcome }) => outcome.code],
    ["outcome_id", ({ outcome }) => Cell.text(outcome.id)],
    ["explanation", ({ outcome }) => Cell.text(read(outcome).explanation)],
    ["missing", ({ stake: { difference } }) => difference?.missing ?? ""],
    ["excess", ({ stake: { difference } }) => difference?.excess ?? ""],
    ["other_excess", ({ stake: { difference } }) => difference?.other?.excess ?? ""],
    ["other_asset", ({ stake: { difference } }) => Cell.text(difference?.other?.asset ?? "")],
    ["difference", ({ stake: { difference } }) => difference?.size ?? ""],
    ["difference_bound", ({ stake: { difference } }) => difference?.bound ?? ""],
    ["difference_worth", ({ stake: { worth } }) => worth ?? ""],
    ["age_ms", ({ outcome }) => String(BreakFacts.ageOf(outcome, report.asOf) ?? "")],
    ["accepted_by", ({ outcome: { accepted } }) => Cell.text(accepted?.by ?? "")],
    ["final", ({ outcome }) => (outcome.final ? "yes" : "no")],
    ["final_from", ({ outcome: { finalFrom } }) => (finalFrom === undefined ? "" : times.instant(finalFrom))],
    ["advice", ({ outcome }) => Cell.text(Advice.of(outcome, scope)?.sentence ?? "")],
    ["command", ({ outcome }) => Cell.text(Advice.of(outcome, scope)?.commands[0]?.text ?? "")],
    ["side", ({ entry, outcome }) => entry?.side ?? outcome.bad?.side ?? ""],
    ["at", ofEntry(({ at }) => times.instant(at))],
    ["asset", text("asset")],
    ["amount", ofEntry(({ amount }) => amount)],
    ["price", ofEntry((entry) => priceOf(entry) ?? "")],
    [
      "worth",
      ofEntry((entry) => {
        const price = priceOf(entry)
        return price === undefined ? "" : Amount.times(entry.amount, price)
      })
    ],
    [
      "currency",
      ({ entry, stake: { worth } }) =>
        worth === null && (entry === undefined || priceOf(entry) === undefined) ? "" : currency ?? ""
    ],
    ["account", text("account")],
    ["id", text("id")],
    ["status", text("status")],
    ["reference", text("reference")],
    ["network", text("network")],
    ["address", text("address")],
    ["memo", text("memo")],
    ["from", text("from")],
    ["from_type", text("fromType")],
    ["to", text("to")],
    ["to_type", text("toType")],
    ["at_ms", ofEntry(({ at }) => String(at))],
    ["in_range", ofEntry((entry) => (report.version === 1 ? "" : isInRange(entry) ? "yes" : "no"))],
    ["totals_asset", ofEntry(({ asset }) => Cell.text(alias(asset)))],
    ["totals_line", (row) => EntryRows.lineOf(row, isInRange)],
    ["lag_ms", ({ outcome: { lagMs } }) => (lagMs === null ? "" : String(lagMs))],
    ["residual", ({ outcome: { residual } }) => residual ?? ""],
    ["decided_by", ({ outcome: { decidedBy } }) => decidedBy ?? ""],
    ["rule", ({ outcome: { rule } }) => Cell.text(rule ?? "")],
    ["candidates", ({ outcome: { candidates } }) => String(candidates.length)],
    ["raw", ({ outcome: { bad } }) => Cell.text(bad?.raw ?? "")]
  ]
}

/** The column of rows of the roll-forward that says how many entries have the sum; it is there where a run has books. */
const ENTRIES = "entries"

/** Writes the lines of the roll-forward under the same columns. They stand in no line of the control totals. */
const forwardRows = ({ books }: Report.Report, columns: ReadonlyArray<string>): Iterable<string> =>
  books === undefined ? [] : ForwardLines.of(books).map(({ asset, count, name, price, side, state, sum, worth }) => {
    const cells: Readonly<Record<string, string | undefined>> = {
      outcome: "roll-forward",
      code: state,
      side,
      asset: Cell.text(asset),
      amount: sum,
      price,
      worth,
      currency: worth === undefined ? undefined : books.worth?.currency,
      totals_line: BookRows.slug(name),
      [ENTRIES]: String(count)
    }
    return Cell.line(columns.map((column) => cells[column] ?? ""))
  })

/** Writes a row for each code of which outcomes are left out. They stand in no line of the control totals. */
const leftOutRows = (carries: Extract.Carries | undefined, columns: ReadonlyArray<string>): Iterable<string> =>
  (carries?.leftOut ?? []).map(({ code, outcomes }) => {
    const cells: Readonly<Record<string, string | undefined>> = {
      outcome: "left-out",
      code,
      explanation: `${Text.counted(outcomes, "outcome")} left out: the control totals of these rows are not whole`
    }
    return Cell.line(columns.map((column) => cells[column] ?? ""))
  })

const BYTE_ORDER_MARK = "\uFEFF"

/** Returns the text in parts of one line each, the names of the columns first. */
export const parts = (whole: Report.Report, options: Options = {}): Iterable<string> => {
  const { carries, report } = LeftOut.shown(whole, options)
  const columns: Columns = [
    ...columnsOf(report, options),
    ...(report.books === undefined ? [] : [[ENTRIES, () => ""] as const])
  ]
  const names = columns.map(([name]) => name)
  return Iterable.flatten([
    [(options.byteOrderMark === false ? "" : BYTE_ORDER_MARK) + Cell.line(names)],
    leftOutRows(carries, names),
    forwardRows(report, names),
    Iterable.map(EntryRows.of(report, options.prices), (row) => Cell.line(columns.map(([, cell]) => cell(row))))
  ])
}
