/**
 * A roll-forward ties the books before an execution to the books after it, per side, asset and state:
 * `broughtForward + new + reopened + restated + moved - matched - decided - setOut = carriedForward`, both for the numbers of
 * entries and for their sums. Reports have it too, so that its form is theirs.
 */
import * as Report from "@tallystick/reconcile/Report"

/** So many entries, and their sum, exact. */
export const Line = Report.RollForwardLine
export type Line = typeof Line.Type

export const RollForward = Report.RollForward
export type RollForward = typeof RollForward.Type
