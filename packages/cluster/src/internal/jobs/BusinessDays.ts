/** The business days of a zone, one after another. */
import * as TimeRange from "@tallystick/core/TimeRange"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

const after = (day: string): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(`${day}T00:00:00Z`), { days: 1 }))

/** Gives the range of a day, Unix ms; none for one that is no day of the zone. */
export const rangeOf = (day: string, zone: string) => Result.getOrUndefined(TimeRange.businessDay(day, zone))

/** Clocks jump over a day at most. */
const JUMPS = 2

/** Gives the day after a day; one that the clocks of the zone jumped over is none. */
export const next = (day: string, zone: string): string => {
  let found = after(day)
  for (let jump = 0; jump < JUMPS && rangeOf(found, zone) === undefined; jump++) found = after(found)
  return found
}

/** Gives the day of a moment (Unix ms) in a zone. */
export const of = (time: number, zone: DateTime.TimeZone): string => {
  const { day, month, year } = DateTime.toParts(DateTime.makeZonedUnsafe(time, { timeZone: zone }))
  return DateTime.formatIsoDateUtc(DateTime.makeUnsafe({ year, month, day }))
}
