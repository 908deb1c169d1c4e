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
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as BookRows from "./internal/content/BookRows.ts"
import * as CountedRange from "./internal/content/CountedRange.ts"
import * as LeftOut from "./internal/content/LeftOut.ts"
import * as WorthRows from "./internal/content/WorthRows.ts"
import * as Cell from "./internal/csv/Cell.ts"
import * as Prices from "./Prices.ts"
import * as Priority from "./Priority.ts"
import * as Text from "./text/Text.ts"
import * as Times from "./text/Times.ts"

/** These options say how the CSV is written. */
export interface Options extends LeftOut.Options {
  /** The zone of `at`; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The prices, which fill `price` and `worth` and decide which rows come first. */
  readonly prices?: Prices.Prices | undefined
  /** Whether to begin with a byte order mark, without which Excel takes UTF-8 for another encoding; default yes. */
  readonly byteOrderMark?: boolean | undefined
}

interface Row {
  readonly outcome: Outcome.Outcome
  /** The entry. A record that could not be read has none. */
  readonly entry: Entry.Entry | undefined
  readonly line: Report.Bucket
}

type Place = "network" | "address" | "memo" | "from" | "to" | "fromType" | "toType"

type Columns = ReadonlyArray<readonly [name: string, cell: (row: Row) => string]>

/** Lists every column, in order. */
const columnsOf = (report: Report.Report, { prices, zone }: Options): Columns => {
  const times = Times.make(zone)
  const isInRange = Report.isInRange(CountedRange.of(report))
  const alias = Policy.aliasOf(report.policy)
  const resolved = Prices.resolve(prices ?? new Map(), report.policy.assets.aliases)
  const ofEntry = (cell: (entry: Entry.Entry) => string) => ({ entry }: Row): string =>
    entry === undefined ? "" : cell(entry)
  const text = (key: "id" | "asset" | "status" | "account" | "reference" | Place) =>
    ofEntry((entry) => Cell.text(entry[key] ?? ""))
  const priceOf = ({ asset }: Entry.Entry): string | undefined => resolved.get(asset)
  return [
    ["outcome", ({ outcome }) => outcome.outcome],
    ["code", ({ outcome }) => outcome.code],
    ["outcome_id", ({ outcome }) => Cell.text(outcome.id)],
    ["final", ({ outcome }) => (outcome.final ? "yes" : "no")],
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
    [
      "totals_line",
      ({ entry, line }) =>
        entry === undefined ? "" : !isInRange(entry) ? "of-other-days" : line === "setAside" ? "set-aside" : line
    ],
    ["lag_ms", ({ outcome: { lagMs } }) => (lagMs === null ? "" : String(lagMs))],
    ["residual", ({ outcome: { residual } }) => residual ?? ""],
    ["decided_by", ({ outcome: { decidedBy } }) => decidedBy ?? ""],
    ["rule", ({ outcome: { rule } }) => Cell.text(rule ?? "")],
    ["candidates", ({ outcome: { candidates } }) => String(candidates.length)],
    ["explanation", ({ outcome: { explanation } }) => Cell.text(explanation)],
    ["raw", ({ outcome: { bad } }) => Cell.text(bad?.raw ?? "")]
  ]
}

/** The column of rows of the roll-forward that says how many entries have the sum; it is there where a run has books. */
const ENTRIES = "entries"

type Forward = Report.Books["rollForward"][number]

/** Writes the lines of the roll-forward under the same columns. They stand in no line of the control totals. */
const forwardRows = ({ books }: Report.Report, columns: ReadonlyArray<string>): Iterable<string> => {
  if (books === undefined) return []
  const keyOf = ({ asset, side, state }: Pick<Forward, "asset" | "side" | "state">): string =>
    JSON.stringify([side, asset, state])
  const worths = new Map(books.worth?.lines.map((line) => [keyOf(line), line]))
  return books.rollForward.flatMap((forward) =>
    WorthRows.lines.flatMap(([name]) => {
      const worth = worths.get(keyOf(forward))
      const { count, sum } = name === "revaluation" ? { count: 0, sum: "0" } : forward[name]
      if (count === 0 && sum === "0" && (worth?.[name] ?? "0") === "0") return []
      const cells: Readonly<Record<string, string | undefined>> = {
        outcome: "roll-forward",
        code: forward.state,
        side: forward.side,
        asset: Cell.text(forward.asset),
        amount: sum,
        price: worth && WorthRows.priceOf(worth, name),
        worth: worth?.[name],
        totals_line: BookRows.slug(name),
        [ENTRIES]: String(count)
      }
      return [Cell.line(columns.map((column) => cells[column] ?? ""))]
    })
  )
}

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

/** Puts the outcomes that need attention first. */
const kinds: ReadonlyArray<Outcome.Kind> = ["discrepancy", "undetermined", "pending", "set-aside", "matched"]

/** Outcomes that need no attention stay in the order of time. */
const ordered = (report: Report.Report, kind: Outcome.Kind, prices: Options["prices"]): Iterable<Outcome.Outcome> => {
  const outcomes = report.outcomes.filter(({ outcome }) => outcome === kind)
  return kind === "matched"
    ? outcomes
    : Priority.sorted(outcomes, { policy: report.policy, prices }).map(({ outcome }) => outcome)
}

const rowsOf = (outcome: Outcome.Outcome): ReadonlyArray<Row> => {
  const shares = Report.sharesOf(outcome)
  const rows = (["deposits", "transfers"] as const).flatMap((side) =>
    shares[side].flatMap(({ bucket, from, to }) =>
      outcome[side].slice(from, to).map((entry): Row => ({ outcome, entry, line: bucket }))
    )
  )
  return rows.length === 0 ? [{ outcome, entry: undefined, line: "setAside" }] : rows
}

const BYTE_ORDER_MARK = "\uFEFF"

/** Returns the text in parts of one line each, the names of the columns first. */
export const parts = (whole: Report.Report, options: Options = {}): Iterable<string> => {
  const { carries, report } = LeftOut.shown(whole, options)
  const columns: Columns = [
    ...columnsOf(report, options),
    ...(report.books === undefined ? [] : [[ENTRIES, () => ""] as const])
  ]
  const names = columns.map(([name]) => name)
  const outcomes = Iterable.flatMap(kinds, (kind) => ordered(report, kind, options.prices))
  return Iterable.flatten([
    [(options.byteOrderMark === false ? "" : BYTE_ORDER_MARK) + Cell.line(names)],
    leftOutRows(carries, names),
    forwardRows(report, names),
    Iterable.flatMap(
      outcomes,
      (outcome) => Iterable.map(rowsOf(outcome), (row) => Cell.line(columns.map(([, cell]) => cell(row))))
    )
  ])
}
