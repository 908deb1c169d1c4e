/** Times as other programs write them: without a zone, in that of their file. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const local = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/

/** A zone in the name of a column: `Time(UTC)`, `Date (UTC+8)`, `created_at (GMT+05:30)`. */
const named = /\(\s*(?:UTC|GMT)\s*(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\s*\)\s*$/i

const MINUTE = 60_000

/** The zone that the name of a column tells; undefined where it tells none. */
export const zoneOf = (column: string): DateTime.TimeZone | undefined => {
  const found = named.exec(column)
  if (found === null) return undefined
  const [, sign, hours = "0", minutes = "0"] = found
  return DateTime.zoneMakeOffset((sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE)
}

/**
 * The moment of a time in a zone, Unix ms. Undefined for what is no such time, for a date alone, and for a time that the clocks of the
 * zone showed twice or never: nobody can tell which moment it was.
 */
export const millis = (text: string, zone: DateTime.TimeZone): number | undefined => {
  const [found, year, , month, day, hour, minute, second = "0", fraction = ""] = local.exec(text) ?? []
  if (found === undefined) return undefined
  const parts = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, "0").slice(0, 3))
  }
  const moment = DateTime.makeZoned(parts, { timeZone: zone, adjustForTimeZone: true, disambiguation: "reject" })
  // The calendar has no 30 February, and takes it for 2 March.
  const isReal = (there: DateTime.DateTime.Parts): boolean =>
    there.year === parts.year && there.month === parts.month && there.day === parts.day &&
    there.hour === parts.hour && there.minute === parts.minute && there.second === parts.second
  return Option.match(moment, {
    onNone: () => undefined,
    onSome: (moment) => (isReal(DateTime.toParts(moment)) ? DateTime.toEpochMillis(moment) : undefined)
  })
}
