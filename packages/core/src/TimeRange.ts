/** Makes ranges of time from the forms in which programs and people have them. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Moment from "./internal/time/Moment.ts"
import { InvalidRange } from "./InvalidRange.ts"
import type * as Timeline from "./Timeline.ts"

/**
 * A half-open range of time: `from` belongs to it, `to` does not. An end is a number of Unix ms, a `Date`, a `DateTime`, or a text
 * in ISO 8601 with its zone (`2026-11-24T08:30:00+01:00`); a date alone is its midnight in UTC.
 */
export interface Input {
  /** The beginning, inclusive: Unix ms, a `Date`, a `DateTime`, or a text with its zone. */
  readonly from: DateTime.DateTime.Input
  /** The end, exclusive, in the same forms. */
  readonly to: DateTime.DateTime.Input
}

/**
 * Returns a range in Unix ms. It fails where an end is no moment, where the end does not lie after the beginning, for seconds in the
 * place of milliseconds, and for times at which nothing can have happened.
 */
export const make = (range: Input): Result.Result<Timeline.Interval, InvalidRange> => {
  const invalid = InvalidRange.of(range)
  return invalid === undefined
    ? Result.succeed({ from: Moment.millis(range.from), to: Moment.millis(range.to) })
    : Result.fail(invalid)
}

/** Returns the Unix ms of a moment in any of these forms; NaN where it is none. */
export const millis: (moment: DateTime.DateTime.Input) => number = Moment.millis

interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

const calendarDay = (text: string): CalendarDay | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const parts = { year: Number(year), month: Number(month), day: Number(day) }
  const real = DateTime.toPartsUtc(DateTime.makeUnsafe(parts))
  return real.year === parts.year && real.month === parts.month && real.day === parts.day ? parts : undefined
}

/** Returns the beginning of a day; where the clocks jump over midnight, the first moment after it. */
const midnight = (parts: CalendarDay, zone: DateTime.TimeZone): number =>
  DateTime.toEpochMillis(
    DateTime.makeZonedUnsafe({ ...parts, hour: 0, minute: 0, second: 0, millisecond: 0 }, {
      timeZone: zone,
      adjustForTimeZone: true
    })
  )

const UTC: DateTime.TimeZone = /*#__PURE__*/ DateTime.zoneMakeNamedUnsafe("UTC")

const refuse = (option: string, value: unknown, problem: string) =>
  Result.fail(new InvalidRange({ from: value, to: value, problem, option }))

/** Returns the first moment of a calendar day (`YYYY-MM-DD`) in a zone, Unix ms; absent where the calendar has no such day. */
export const startOfDay = (day: string, zone: DateTime.TimeZone = UTC): Option.Option<number> =>
  Option.map(Option.fromUndefinedOr(calendarDay(day)), (parts) => midnight(parts, zone))

/**
 * Returns a business day: the calendar day `YYYY-MM-DD` of a zone (`Europe/Berlin`, `+01:00`; UTC by default), in Unix ms. It has 23
 * to 25 hours where the clocks change. It fails for a text that is no day, for an unknown zone, and for a day that the clocks of
 * the zone jumped over (Samoa had no 2011-12-30).
 */
export const businessDay = (
  day: string,
  zone: DateTime.TimeZone | string = UTC
): Result.Result<Timeline.Interval, InvalidRange> => {
  const named = typeof zone === "string" ? Option.getOrUndefined(DateTime.zoneFromString(zone)) : zone
  if (named === undefined) {
    return refuse("zone", zone, "is no time zone; wanted: Area/City such as Europe/Berlin, or UTC")
  }
  const parts = calendarDay(day)
  if (parts === undefined) return refuse("day", day, "is no day; wanted: YYYY-MM-DD")
  const next = DateTime.toPartsUtc(DateTime.add(DateTime.makeUnsafe({ ...parts }), { days: 1 }))
  const range = { from: midnight(parts, named), to: midnight(next, named) }
  return range.from < range.to
    ? Result.succeed(range)
    : refuse("day", day, "is no day in this zone: its clocks jumped over it")
}
