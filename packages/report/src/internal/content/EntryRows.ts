/** Writes a report entry by entry, as spreadsheets want it: what needs attention comes first. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Iterable from "effect/Iterable"
import type * as Prices from "../../Prices.ts"
import * as Priority from "../../Priority.ts"
import * as Stakes from "./Stakes.ts"

export interface EntryRow {
  readonly outcome: Outcome.Outcome
  readonly stake: Stakes.Stake
  /** The entry. A record that could not be read has none. */
  readonly entry: Entry.Entry | undefined
  readonly line: Report.Bucket
}

/** Puts the outcomes that need attention first. */
const kinds: ReadonlyArray<Outcome.Kind> = ["discrepancy", "undetermined", "pending", "set-aside", "matched"]

/** An outcome with its stake. */
type Ranked = Pick<EntryRow, "outcome" | "stake">

/** Outcomes that need no attention stay in the order of time. */
const ordered = (
  report: Report.Report,
  kind: Outcome.Kind,
  prices: Prices.Prices | undefined
): Iterable<Ranked> => {
  const outcomes = report.outcomes.filter(({ outcome }) => outcome === kind)
  const options = { policy: report.policy, prices }
  if (kind !== "matched") return Priority.sorted(outcomes, options)
  const stakeOf = Stakes.of(options)
  return Iterable.map(outcomes, (outcome) => ({ outcome, stake: stakeOf(outcome) }))
}

const rowsOf = ({ outcome, stake }: Ranked): ReadonlyArray<EntryRow> => {
  const shares = Report.sharesOf(outcome)
  const rows = (["deposits", "transfers"] as const).flatMap((side) =>
    shares[side].flatMap(({ bucket, from, to }) =>
      outcome[side].slice(from, to).map((entry): EntryRow => ({ outcome, stake, entry, line: bucket }))
    )
  )
  return rows.length === 0 ? [{ outcome, stake, entry: undefined, line: "setAside" }] : rows
}

/** Returns a row for each entry, and for each record that could not be read. */
export const of = (report: Report.Report, prices: Prices.Prices | undefined): Iterable<EntryRow> =>
  Iterable.flatMap(kinds, (kind) => Iterable.flatMap(ordered(report, kind, prices), rowsOf))

/** Names the line of the totals in which an entry counts, as programs read it; of other days it is none of them. */
export const lineOf = ({ entry, line }: EntryRow, isInRange: (entry: Entry.Entry) => boolean): string => {
  if (entry === undefined) return ""
  if (!isInRange(entry)) return "of-other-days"
  return line === "setAside" ? "set-aside" : line
}
