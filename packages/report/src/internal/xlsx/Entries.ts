/** The sheet of all entries: a row for each, and for each record that could not be read, in the order of the CSV. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as Prices from "../../Prices.ts"
import * as CountedRange from "../content/CountedRange.ts"
import * as EntryRows from "../content/EntryRows.ts"
import * as Exact from "./Exact.ts"
import * as LocalTime from "./LocalTime.ts"
import * as Sheet from "./Sheet.ts"

type Row = EntryRows.EntryRow

const places = [
  ["account", "Account", 16],
  ["id", "Id", 34],
  ["status", "Status", 10],
  ["reference", "Reference", 34],
  ["network", "Network", 10],
  ["address", "Address", 34],
  ["memo", "Memo", 14],
  ["from", "From", 14],
  ["fromType", "From type", 10],
  ["to", "To", 14],
  ["toType", "To type", 10]
] as const

/** Makes the sheet. A match has no sentence in it; the CSV has those, too. */
export const table = (
  name: string,
  report: Report.Report,
  { currency, prices, zone }: {
    readonly prices: Prices.Prices | undefined
    readonly currency: string | undefined
    readonly zone: DateTime.TimeZone | undefined
  }
): Sheet.Table => {
  const isInRange = Report.isInRange(CountedRange.of(report))
  const alias = Policy.aliasOf(report.policy)
  const resolved = Prices.resolve(prices ?? new Map(), report.policy.assets.aliases)
  const ofEntry = (cell: (entry: Entry.Entry) => string | undefined) => ({ entry }: Row) =>
    entry === undefined ? undefined : cell(entry)
  const worthOf = ({ amount, asset }: Entry.Entry): string | undefined => {
    const price = resolved.get(asset)
    return price === undefined ? undefined : Amount.times(amount, price)
  }
  return Sheet.table<Row>(
    name,
    [
      { title: "Outcome", kind: "text", width: 13, cell: ({ outcome }) => outcome.outcome },
      { title: "Code", kind: "text", width: 18, cell: ({ outcome }) => outcome.code },
      { title: "Side", kind: "text", width: 9, cell: ({ entry, outcome }) => entry?.side ?? outcome.bad?.side },
      ...LocalTime.columns<Row>(zone, ({ entry }) => entry?.at),
      { title: "Asset", kind: "text", width: 10, cell: ofEntry(({ asset }) => asset) },
      ...Exact.columns<Row>("Amount", ofEntry(({ amount }) => amount)),
      ...(prices === undefined ? [] : [
        { title: "Price", kind: "text" as const, width: 14, cell: ofEntry(({ asset }) => resolved.get(asset)) },
        ...Exact.columns<Row>(Exact.worthIn(currency), ofEntry(worthOf))
      ]),
      ...places.map(([key, title, width]) => ({
        title,
        kind: "text" as const,
        width,
        cell: ofEntry((entry) => entry[key])
      })),
      {
        title: "In range",
        kind: "text",
        width: 9,
        cell: ofEntry((entry) => report.version === 1 ? undefined : isInRange(entry) ? "yes" : "no")
      },
      { title: "Asset of totals", kind: "text", width: 14, cell: ofEntry(({ asset }) => alias(asset)) },
      { title: "Line of totals", kind: "text", width: 14, cell: (row) => EntryRows.lineOf(row, isInRange) },
      { title: "Lag in ms", kind: "count", width: 12, cell: ({ outcome }) => outcome.lagMs ?? undefined },
      { title: "Residual", kind: "text", width: 14, cell: ({ outcome }) => outcome.residual ?? undefined },
      { title: "Decided by", kind: "text", width: 11, cell: ({ outcome }) => outcome.decidedBy },
      { title: "Rule", kind: "text", width: 20, cell: ({ outcome }) => outcome.rule },
      { title: "Final", kind: "text", width: 7, cell: ({ outcome }) => (outcome.final ? "yes" : "no") },
      { title: "Id of outcome", kind: "text", width: 20, cell: ({ outcome }) => outcome.id },
      {
        title: "Why",
        kind: "text",
        width: 60,
        cell: ({ outcome }) => outcome.outcome === "matched" ? undefined : outcome.explanation
      },
      { title: "Record as it came", kind: "text", width: 30, cell: ({ outcome }) => outcome.bad?.raw }
    ],
    EntryRows.of(report, prices)
  )
}
