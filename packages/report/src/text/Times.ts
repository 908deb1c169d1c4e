/** Moments and lengths of time for people. */
import * as DateTime from "effect/DateTime"

export interface Times {
  /** `2026-11-19 08:30:00.000`, with its offset where the zone is not UTC. */
  readonly instant: (ms: number) => string
  /** The same without `.000`, and with words for the bounds of all time. */
  readonly bound: (ms: number) => string
  /** `UTC`, `Europe/Berlin`. */
  readonly zone: string
}

/** Bounds of coverage beyond these stand for all time. */
const START = 0
const END = 8_640_000_000_000_000

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

const units = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1000], ["ms", 1]] as const

/**
 * Writes the two largest parts of a length of time: `2 d 3 h`, `1 min 12 s`, `450 ms`. It cuts smaller parts, so use it
 * in summaries only.
 */
export const duration = (ms: number): string => {
  const parts: Array<string> = []
  let rest = Math.abs(ms)
  for (const [name, size] of units) {
    const amount = Math.floor(rest / size)
    if (amount > 0) parts.push(`${amount} ${name}`)
    rest -= amount * size
    if (parts.length === 2) break
  }
  return `${ms < 0 ? "-" : ""}${parts.length === 0 ? "0 s" : parts.join(" ")}`
}
