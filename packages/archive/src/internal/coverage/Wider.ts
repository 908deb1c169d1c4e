/** An interval with some time on both sides of it. */
import type * as Coverage from "@tallystick/core/Coverage"

/** Widens an interval by so many ms, as far as there is time. */
export const wider = ({ from, to }: Coverage.Interval, by: number): Coverage.Interval => ({
  from: Math.max(from - by, 0),
  to: Math.min(to + by, Number.MAX_SAFE_INTEGER)
})
