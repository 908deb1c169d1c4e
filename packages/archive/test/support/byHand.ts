/** The books of a person with a list and a pencil, by rules that are written apart from those of the books. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"

export type Kind = "decided" | "matched" | "open" | "out" | "pending" | "undetermined"

export interface Told {
  readonly state: Kind
  readonly amount: bigint
}

/** The books of a person with a list: every entry that was ever judged, settled ones too. */
export type List = Map<string, Told>

export const isWaiting = ({ state }: Pick<Told, "state">): boolean =>
  state === "open" || state === "pending" || state === "undetermined"

const kinds: Readonly<Record<Outcome.Kind, Kind>> = {
  matched: "matched",
  discrepancy: "open",
  pending: "pending",
  undetermined: "undetermined",
  "set-aside": "out"
}

/** Judges an entry at its place among those of its side, told apart from the books' own rules. */
export const judged = (outcome: Outcome.Outcome, place: number, isFailed: boolean): Kind => {
  const { code, final, matchedCount = 0, outcome: kind, residual } = outcome
  if (kind === "discrepancy") {
    if (code !== "ambiguous" && place < matchedCount) return "matched"
    if (code === "failed-attempt" && isFailed) return "out"
    if (final && (code === "reversed" || ((code === "late" || code === "early") && residual === "0"))) return "matched"
  }
  return kinds[kind]
}

/** Keeps the list by what a report says of its range. */
export const list = (report: Report.Report, before: List): List => {
  const after = new Map(before)
  const { range } = report
  const isInside = ({ at }: { readonly at: number }): boolean => range === null || (at >= range.from && at < range.to)
  for (const outcome of report.outcomes) {
    // Of a class that does not come out even any of its entries may be the open one.
    const isUneven = outcome.outcome !== "matched" && outcome.code !== "ambiguous" &&
      outcome.matchedCount !== undefined && [...outcome.deposits, ...outcome.transfers].some(isInside)
    for (const [side, entries] of [["deposit", outcome.deposits], ["transfer", outcome.transfers]] as const) {
      for (const [place, { amount, at, id, status }] of entries.entries()) {
        if (!isUneven && !isInside({ at })) continue
        after.set(`${side} ${id}`, { state: judged(outcome, place, status === "failed"), amount: BigInt(amount) })
      }
    }
  }
  return after
}
