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
export const day = (text: string, zone: Zone): Result.Result<Timeline.Interval, string> =>
  Result.mapError(TimeRange.businessDay(text, zone), ({ problem }) => `"${text}" ${problem}`)

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
