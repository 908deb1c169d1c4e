/** The range by which a report tells its own apart from what belongs to other days. */
import type * as Report from "@tallystick/reconcile/Report"

/** Returns null where nothing is told apart: without a range, and in version 1, whose numbers also count other days. */
export const of = ({ range, version }: Pick<Report.Summary, "range" | "version">): Report.Summary["range"] =>
  version === 1 ? null : range
