/** The days in which the transfers of a range are asked for: all queries of one day come before those of the next. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as InvalidRange from "@tallystick/core/InvalidRange"

/** The length of a day here, ms. */
const DAY = 86_400_000

/** Cuts `[from, to)` into days. It may have any length: the last day that has begun by `now` reaches to its end. Unix ms. */
export const of = ({ from, to }: Coverage.Interval, now: number): ReadonlyArray<Coverage.Interval> => {
  const first = Math.max(from, InvalidRange.EARLIEST)
  const count = Math.max(Math.ceil((Math.min(to, now) - first) / DAY), 1)
  return Array.from({ length: count }, (_, index) => ({
    from: first + index * DAY,
    to: index === count - 1 ? to : first + (index + 1) * DAY
  }))
}
