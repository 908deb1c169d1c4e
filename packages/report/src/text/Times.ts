/** Writes moments and lengths of time for people. */
import * as DateTime from "effect/DateTime"

export interface Times {
  /** Writes a moment: `2026-11-19 08:30:00.000`, with its offset where the zone is not UTC. */
  readonly instant: (ms: number) => string
  /** Writes a bound: the same without `.000`, and with words for the bounds of all time. */
  readonly bound: (ms: number) => string
  /** The name of the zone: `UTC`, `Europe/Berlin`. */
  readonly zone: string
}

/** Bounds of coverage beyond these stand for all time. */
export const START = 0
export const END = 8_640_000_000_000_000

const spaced = (iso: string): string => iso.replace("T", " ").replace(/Z$/, "")

/** Makes the times of a zone; without one they are in UTC. */
export const make = (zone?: DateTime.TimeZone): Times => {
  const write = zone === undefined
    ? (ms: number) => DateTime.formatIso(DateTime.makeUnsafe(ms))
    : (ms: number) => DateTime.formatIsoOffset(DateTime.setZone(DateTime.makeUnsafe(ms), zone))
  const instant = (ms: number): string => spaced(write(ms))
  return {
    instant,
    bound: (ms) =>
      ms <= START ? "the beginning" : ms >= END ? "the end of time" : instant(ms).replace(/\.000(?=$|[+-])/, ""),
    zone: zone === undefined ? "UTC" : DateTime.zoneToString(zone)
  }
}

const units = [
  [86_400_000, "d", "day"],
  [3_600_000, "h", "hour"],
  [60_000, "min", "minute"],
  [1000, "s", "second"],
  [1, "ms", "ms"]
] as const

/** Takes a length of time apart into its units, the largest first, without its sign and without what is zero. */
const parts = (ms: number) => {
  let rest = Math.abs(ms)
  return units.flatMap(([size, short, long]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [{ count, short, long }]
  })
}

/** Returns the smaller of the two units in which a length of time is written, ms. */
const leastOf = (size: number): number => {
  const [, [least] = [1]] = units.slice(units.findIndex(([unit]) => size >= unit))
  return least
}

const written = (size: number): string => parts(size).map(({ count, short }) => `${count} ${short}`).join(" ") || "0 s"

/** Milliseconds are nothing beside a minute. */
const MINUTE = 60_000

/**
 * Writes the two largest parts of a length of time: `2 d 3 h`, `1 min 12 s`, `450 ms`. It cuts smaller parts, and milliseconds beside
 * minutes, so use it in summaries only.
 */
export const duration = (ms: number): string => {
  const size = Math.abs(ms)
  const [one, other] = parts(size < MINUTE ? size : size - (size % 1000))
  return `${ms < 0 ? "-" : ""}${
    [one, other].flatMap((part) => part === undefined ? [] : `${part.count} ${part.short}`).join(" ") || "0 s"
  }`
}

/**
 * Writes a length of time that nothing exceeds, with its sign, in its largest unit and the next one: what is less goes up, towards zero
 * where it is negative, so that `within` stays true.
 */
export const atMost = (ms: number): string => {
  const least = leastOf(Math.abs(ms))
  const bound = Math.ceil(ms / least) * least
  return `${bound < 0 ? "-" : ""}${written(bound)}`
}

/** Writes a whole length of time to the millisecond, without its sign: `1 day 2 hours`, `1 second 500 ms`, `0 seconds`. */
export const spelled = (ms: number): string =>
  parts(ms).map(({ count, long }) => `${count} ${long}${count === 1 || long === "ms" ? "" : "s"}`).join(" ") ||
  "0 seconds"
