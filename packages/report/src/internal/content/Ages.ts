/** Writes the ages of breaks. */
import type * as Report from "@tallystick/reconcile/Report"
import { duration } from "../../text/Times.ts"

/** Whether a break is so old, or an entry of the range in one of another day. */
export const isAny = ({ entries, outcomes }: Report.Age): boolean => outcomes > 0 || entries > 0

/** Names an age: `under 1 h`, `1 h to 6 h`, `over 7 d`. */
export const label = ({ from, to }: Report.Age): string => {
  if (to === null) return `over ${duration(from)}`
  return from === 0 ? `under ${duration(to)}` : `${duration(from)} to ${duration(to)}`
}
