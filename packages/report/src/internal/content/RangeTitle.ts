/** Names the time that a report is about as people do: `Tuesday 17 November 2026, Europe/Berlin`. */
import type * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"
import { months, weekdays } from "./CalendarNames.ts"

/** The first and the last moment that a calendar of any zone can write, Unix ms. Bounds beyond them stand for all time. */
const [FIRST, LAST] = [0, 8_639_999_913_600_000]

interface Parts extends DateTime.DateTime.PartsWithWeekday {
  readonly isMidnight: boolean
}

const partsIn = (zone: DateTime.TimeZone | undefined) => (ms: number): Parts => {
  const utc = DateTime.makeUnsafe(ms)
  const parts = zone === undefined ? DateTime.toPartsUtc(utc) : DateTime.toParts(DateTime.setZone(utc, zone))
  return { ...parts, isMidnight: parts.hour + parts.minute + parts.second + parts.millisecond === 0 }
}

const two = (number: number): string => String(number).padStart(2, "0")

const monthOf = ({ month }: Parts): string => months[month - 1] ?? ""

const dayOf = (parts: Parts): string => `${parts.day} ${monthOf(parts)} ${parts.year}`

/** Writes a moment to the minute, or finer where it lies between two. */
const momentOf = (parts: Parts): string => {
  const { hour, millisecond, minute, second } = parts
  const seconds = second + millisecond === 0
    ? ""
    : `:${two(second)}${millisecond === 0 ? "" : `.${String(millisecond).padStart(3, "0")}`}`
  return `${dayOf(parts)} ${two(hour)}:${two(minute)}${seconds}`
}

/** Writes days from one to another, both included, without saying twice what they have in common. */
const daysOf = (first: Parts, last: Parts): string => {
  if (first.year !== last.year) return `${dayOf(first)} to ${dayOf(last)}`
  return first.month === last.month
    ? `${first.day} to ${dayOf(last)}`
    : `${first.day} ${monthOf(first)} to ${dayOf(last)}`
}

const isLastOfMonth = (next: Parts): boolean => next.day === 1

const textOf = (from: number, to: number, parts: (ms: number) => Parts): string => {
  const [first, end, last] = [parts(from), parts(to), parts(to - 1)]
  if (!first.isMidnight || !end.isMidnight) return `${momentOf(first)} to ${momentOf(end)}`
  const isOneDay = first.year === last.year && first.month === last.month && first.day === last.day
  if (isOneDay) return `${weekdays[first.weekDay]} ${dayOf(first)}`
  const isOneMonth = first.year === last.year && first.month === last.month
  return isOneMonth && first.day === 1 && isLastOfMonth(end) ? `${monthOf(first)} ${first.year}` : daysOf(first, last)
}

/** Returns the name, with that of the zone (default UTC). */
export const of = (range: Report.Summary["range"], zone: DateTime.TimeZone | undefined): string => {
  if (range === null) return "Everything that was read"
  const [from, to] = [range.from > FIRST ? range.from : undefined, range.to < LAST ? range.to : undefined]
  const parts = partsIn(zone)
  const text = from !== undefined && to !== undefined && from < to
    ? textOf(from, to, parts)
    : to !== undefined
    ? `All before ${momentOf(parts(to))}`
    : from !== undefined
    ? `All from ${momentOf(parts(from))} on`
    : "All time"
  return `${text}, ${zone === undefined ? "UTC" : DateTime.zoneToString(zone)}`
}
