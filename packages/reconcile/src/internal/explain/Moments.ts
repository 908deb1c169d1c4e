/** Writes moments for sentences: as short as they are clear. */
import * as DateTime from "effect/DateTime"

/** Where a sentence is read. */
export interface Reading {
  /** The zone of all times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /**
   * The year that the reader knows, as whoever writes a report names it together with the zone. Times of this year are written
   * without their year and zone. Where it is absent, a sentence stands alone: each date has both.
   */
  readonly year?: number | undefined
}

export interface Moments {
  /** Writes a moment: `22 Nov 07:47`, or `22 Nov 2026 07:47 UTC` in a sentence that stands alone. */
  readonly at: (ms: number) => string
  /** Writes a moment after another one was written: the time of day alone, where the day is the same. */
  readonly next: (ms: number, before: number) => string
  /** Writes both ends of an interval, after another moment where one was written: `between 22 Nov 07:47 and 08:47`. */
  readonly between: (from: number, to: number, before?: number) => string
  /** Writes an interval that lies within both ends, for what is said of all of it: it begins no earlier than `from`. */
  readonly within: (from: number, to: number, before?: number) => string
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

/** Near a change of the clocks a time of day may come twice, and is written with its offset. */
const CHANGE = 3 * 3_600_000

/** Moments that are farther than this from 1970 stand for all time. */
const END = 8_640_000_000_000_000 - 86_400_000

const QUARTER = 900_000
const MINUTE = 60_000
const SECOND = 1000

const two = (number: number): string => String(number).padStart(2, "0")

interface Parts {
  readonly day: string
  readonly time: string
  /** The offset or the zone, where it has to be written. */
  readonly zone: string
}

/** Writes the time of day, no finer than it has to be. */
const timeOf = (parts: DateTime.DateTime.Parts, unit: number): string => {
  const minute = `${two(parts.hour)}:${two(parts.minute)}`
  if (unit >= MINUTE) return minute
  const second = `${minute}:${two(parts.second)}`
  return unit >= SECOND ? second : `${second}.${String(parts.millisecond).padStart(3, "0")}`
}

/** Writes an offset of ms as `+01:00`. */
const offsetText = (offset: number): string => {
  const minutes = Math.abs(Math.trunc(offset / MINUTE))
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns the offsets of a zone, each worked out once for a quarter of an hour: zones change at no other times. */
const offsets = (zone: DateTime.TimeZone): (ms: number) => number => {
  const known = new Map<number, number>()
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER)
    const before = known.get(quarter)
    if (before !== undefined) return before
    const offset = DateTime.zonedOffset(DateTime.setZone(DateTime.makeUnsafe(quarter * QUARTER), zone))
    known.set(quarter, offset)
    return offset
  }
}

/** Returns the coarsest unit by which the two look different. */
const unitOf = (ms: number, before: number): number =>
  [MINUTE, SECOND].find((unit) => Math.floor(ms / unit) !== Math.floor(before / unit)) ?? (ms === before ? MINUTE : 1)

/** Returns the coarsest unit in which an interval can be written so that it begins no earlier, and ends no later. */
const innerUnit = (from: number, to: number): number =>
  [MINUTE, SECOND].find((unit) => Math.ceil(from / unit) < Math.floor(to / unit)) ?? 1

export const make = ({ year, zone }: Reading = {}): Moments => {
  const offset = zone === undefined ? () => 0 : offsets(zone)
  const isClear = (ms: number): boolean =>
    zone === undefined || (offset(ms - CHANGE) === offset(ms) && offset(ms + CHANGE) === offset(ms))
  const split = (ms: number, unit: number): Parts => {
    const parts = DateTime.toPartsUtc(DateTime.makeUnsafe(ms + offset(ms)))
    const day = `${parts.day} ${months[parts.month - 1] ?? ""}`
    const name = zone === undefined ? "UTC" : offsetText(offset(ms))
    return {
      day: parts.year === year ? day : `${day} ${parts.year}`,
      time: timeOf(parts, unit),
      zone: year !== undefined && isClear(ms) ? "" : ` ${name}`
    }
  }
  const write = (ms: number, unit: number): string => {
    if (Math.abs(ms) >= END) return ms < 0 ? "the beginning" : "the end of time"
    const { day, time, zone } = split(ms, unit)
    return `${day} ${time}${zone}`
  }
  const next = (ms: number, before: number, unit: number): string => {
    if (Math.max(Math.abs(ms), Math.abs(before)) >= END) return write(ms, unit)
    const [one, other] = [split(ms, unit), split(before, unit)]
    return one.day === other.day && one.zone === other.zone ? one.time : write(ms, unit)
  }
  const between = (from: number, to: number, before: number | undefined, unit: number): string => {
    const first = before === undefined ? write(from, unit) : next(from, before, unit)
    if (from <= 0) return to >= END ? "of all time" : `before ${write(to, unit)}`
    return to >= END ? `from ${first} on` : `between ${first} and ${next(to, from, unit)}`
  }
  return {
    at: (ms) => write(ms, MINUTE),
    next: (ms, before) => next(ms, before, unitOf(ms, before)),
    between: (from, to, before) => between(from, to, before, unitOf(from, to)),
    within: (from, to, before) => {
      const unit = innerUnit(from, to)
      return between(Math.ceil(from / unit) * unit, to, before, unit)
    }
  }
}
