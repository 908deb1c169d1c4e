/** The days of a zone in which moments and stretches of time lie. */
import type * as Timeline from "@tallystick/core/Timeline"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

type Zone = DateTime.TimeZone | undefined

/** A day, and its time, Unix ms. */
export interface SiteDay extends Timeline.Interval {
  /** `2026-11-17`. */
  readonly day: string
}

/** Gives the day of a moment, Unix ms: `2026-11-17`. */
export const nameAt = (ms: number, zone: Zone): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(ms, { timeZone: zone ?? "UTC" }))

/** Gives a day by its name; nothing where the zone has no such day. */
export const named = (day: string, zone: Zone): ReadonlyArray<SiteDay> =>
  Result.match(TimeRange.businessDay(day, zone), {
    onFailure: () => [],
    onSuccess: ({ from, to }) => [{ day, from, to }]
  })

const at = (ms: number, zone: Zone): SiteDay => {
  const day = nameAt(ms, zone)
  return { day, ...Result.getOrThrow(TimeRange.businessDay(day, zone)) }
}

/** Makes a reader of days for one zone, which finds each day once. */
export const make = (zone: Zone) => {
  const known = new Map<string, SiteDay>()

  /** Gives the day of a moment, Unix ms. */
  const of = (ms: number): SiteDay => {
    const name = nameAt(ms, zone)
    const found = known.get(name) ?? at(ms, zone)
    known.set(name, found)
    return found
  }

  /** Gives the days that have any time in common with an interval. */
  const within = ({ from, to }: Timeline.Interval): ReadonlyArray<SiteDay> => {
    const days: Array<SiteDay> = []
    for (let next = from; next < to;) {
      const day = of(next)
      days.push(day)
      next = day.to
    }
    return days
  }

  return { of, within }
}
