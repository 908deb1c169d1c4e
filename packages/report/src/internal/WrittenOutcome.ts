/** Outcomes as the JSON of their report has them. */
import * as Report from "@tallystick/reconcile/Report"

/** Entries say whether they lie in the range; those of version 1 do not, as its form has it. */
export const of = ({ range, version }: Pick<Report.Summary, "range" | "version">) =>
  version === 1 ? Report.written : Report.writtenIn(range)
