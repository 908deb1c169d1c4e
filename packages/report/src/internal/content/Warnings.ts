/** Lists what a reader of a report should know: the warnings of the run, and what an earlier version of the report means. */
import type * as Report from "@tallystick/reconcile/Report"

const EARLIER =
  "This report was made by an earlier version: its totals, counts, rates, lags and ages also count what belongs to other days."

/** Returns them in the order in which they are shown. */
export const of = ({ range, version, warnings }: Report.Summary): ReadonlyArray<string> =>
  version === 1 && range !== null ? [EARLIER, ...warnings] : warnings
