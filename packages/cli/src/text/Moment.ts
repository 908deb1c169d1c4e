/** Moments as people write them on a command line. */
import type * as Timeline from "@tallystick/core/Timeline"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** Read in this zone where a date has none of its own; UTC unless given. */
export type Zone = DateTime.TimeZone | undefined

const instantPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})$/i

/** The business day `YYYY-MM-DD` of a zone, 23 to 25 hours of it, in Unix ms, end excluded. */
const businessDay = (text: string, zone: Zone): Result.Result<Timeline.Interval, string> =>
  Result.mapError(
    TimeRange.businessDay(text, zone),
    ({ problem }) =>
      `"${text}" ${problem.replace(/YYYY-MM-DD$/, "2026-11-19, today, yesterday, or -2 for two days before today")}`
  )

/** So many days may be named with one `..`. */
const MOST_DAYS = 366

/** The calendar day that lies so many days after that of a moment (Unix ms) in a zone: `2026-11-19`. */
const calendarDay = (now: number, zone: Zone, days: number): string => {
  const there = DateTime.toParts(DateTime.makeZonedUnsafe(now, { timeZone: zone ?? "UTC" }))
  const day = DateTime.makeUnsafe({ year: there.year, month: there.month, day: there.day + days })
  return DateTime.formatIsoDateUtc(day)
}

const oneDay = (text: string, zone: Zone, now: number): string => {
  if (text === "today") return calendarDay(now, zone, 0)
  if (text === "yesterday") return calendarDay(now, zone, -1)
  return /^-\d{1,4}$/.test(text) ? calendarDay(now, zone, Number(text)) : text
}

/** The day after a day `YYYY-MM-DD`. */
const dayAfter = (day: string): string =>
  calendarDay(DateTime.makeUnsafe(`${day}T00:00:00Z`).epochMilliseconds, undefined, 1)

/**
 * The days that are meant by `2026-11-19`, `today`, `yesterday`, `-2` (two days before today), or two of these with `..` between
 * them, as `YYYY-MM-DD`. `now`: Unix ms.
 */
export const days = (text: string, zone: Zone, now: number): Result.Result<ReadonlyArray<string>, string> => {
  const [first = "", last = first, ...more] = text.split("..").map((part) => oneDay(part, zone, now))
  if (more.length > 0) return Result.fail(`"${text}" names more than a first and a last day`)
  if (text !== "" && (first === "" || last === "")) {
    return Result.fail(`"${text}" lacks its ${first === "" ? "first" : "last"} day; wanted: -3..yesterday, or one day`)
  }
  return Result.gen(function*() {
    const begin = yield* businessDay(first, zone)
    const end = yield* businessDay(last, zone)
    if (end.from < begin.from) return yield* Result.fail(`"${text}" ends before it begins`)
    const found: Array<string> = []
    for (let day = first; found.length <= MOST_DAYS; day = dayAfter(day)) {
      // A day that the clocks of the zone jumped over is none.
      if (Result.isSuccess(businessDay(day, zone))) found.push(day)
      if (day === last) return found
    }
    return yield* Result.fail(`"${text}" names more than ${MOST_DAYS} days`)
  })
}

/** The time of these days, in Unix ms, end excluded. */
export const day = (text: string, zone: Zone, now: number): Result.Result<Timeline.Interval, string> =>
  Result.gen(function*() {
    const found = yield* days(text, zone, now)
    const { from } = yield* businessDay(found[0] ?? "", zone)
    const { to } = yield* businessDay(found.at(-1) ?? "", zone)
    return { from, to }
  })

/** A date (its midnight), or a time with its zone, in Unix ms. */
export const moment = (text: string, zone: Zone): Result.Result<number, string> => {
  const date = TimeRange.startOfDay(text, zone)
  if (Option.isSome(date)) return Result.succeed(date.value)
  const instant = instantPattern.test(text) ? DateTime.make(text) : Option.none()
  return Option.match(instant, {
    onNone: () => Result.fail(`"${text}" is no time; wanted: 2026-11-19, or 2026-11-19T08:30:00Z, or …+01:00`),
    onSome: (instant) => Result.succeed(DateTime.toEpochMillis(instant))
  })
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const length = /^(\d{1,6})(?:([smhdw])| (second|minute|hour|day|week)s?)$/

/** Of what is neither a moment nor a length of time, where both are allowed. */
export const noStart = (text: string): string =>
  `"${text}" is neither a time nor a length of time; wanted: 2026-11-19, or 2026-11-19T08:30:00Z, or how long ago: 90m, 2h, 3d`

/** `90m`, `2 hours`, `3d`: how long ago, in ms. */
export const ago = (text: string): Result.Result<number, string> => {
  const [, count = "", letter, word] = length.exec(text) ?? []
  const unit = units[letter ?? word?.charAt(0) ?? ""]
  return unit === undefined
    ? Result.fail(`"${text}" is no length of time; wanted: 90m, 2h, 3d, or 2 hours`)
    : Result.succeed(Number(count) * unit)
}

/** `Europe/Berlin`, `UTC`, `+02:00`. */
export const zone = (text: string): Result.Result<DateTime.TimeZone, string> =>
  Option.match(DateTime.zoneFromString(text), {
    onNone: () => Result.fail(`"${text}" is no time zone; wanted: Area/City such as Europe/Berlin, or UTC`),
    onSome: Result.succeed
  })
