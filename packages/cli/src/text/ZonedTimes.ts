/** Writes the times of messages in one zone: UTC, or that of `--zone`. */
import * as Times from "@tallystick/report/text/Times"
import type * as DateTime from "effect/DateTime"

export interface ZonedTimes extends Times.Times {
  /** Writes a bound to the second: `2026-11-19 08:30:00`, `2026-11-19 09:30:00+01:00`. */
  readonly second: (ms: number) => string
  /** Writes a bound to the minute: `2026-11-19 08:30`, `2026-11-19 09:30+01:00`. */
  readonly minute: (ms: number) => string
  /** Stands behind the last time of a sentence: ` UTC`; nothing where each time has its offset. */
  readonly suffix: string
  /** Writes a stretch of time: `from 2026-11-19 08:30:00 to 2026-11-19 09:00:00 UTC`. */
  readonly stretch: (interval: { readonly from: number; readonly to: number }) => string
}

/** Makes the times of a zone; without one they are in UTC. */
export const make = (zone?: DateTime.TimeZone): ZonedTimes => {
  const times = Times.make(zone)
  const suffix = zone === undefined ? " UTC" : ""
  return {
    ...times,
    second: (ms) => times.bound(ms).replace(/(:\d\d:\d\d)\.\d+/, "$1"),
    minute: (ms) => times.bound(ms).replace(/(:\d\d):\d\d(?:\.\d+)?/, "$1"),
    suffix,
    stretch: ({ from, to }) => `from ${times.bound(from)} to ${times.bound(to)}${suffix}`
  }
}
