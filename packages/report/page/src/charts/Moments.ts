/** Round moments of a zone: where the lines of an axis of time stand, and what is written below them. */
import type { Times } from "../../../src/text/Times.ts"

/** The offset of the zone at a moment, s. */
const offset = (times: Times, seconds: number): number => {
  const found = /([+-])(\d\d):(\d\d)$/.exec(times.instant(seconds * 1000))
  if (found === null) return 0
  const [, sign, hours, minutes] = found
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

const HOUR = 3600
const DAY = 24 * HOUR
const steps = [
  ...[1, 5, 15, 30].map((step) => step * 60),
  ...[1, 2, 3, 6, 12].map((step) => step * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((step) => step * DAY)
]

/** When clocks show this, s since 1970 on the clock; nothing where they skip it. Of two moments either. */
const shown = (times: Times, clock: number, near: number): number | undefined =>
  [near, offset(times, clock - near)].map((shift) => clock - shift).find((at) => at + offset(times, at) === clock)

/** Round moments of the zone from `from` to `to`, s, at most about so many. */
export const moments = (times: Times, from: number, to: number, most: number): ReadonlyArray<number> => {
  const step = steps.find((length) => (to - from) / length <= most) ?? steps.at(-1) ?? HOUR
  const shift = offset(times, from)
  const first = Math.ceil((from + shift) / step) * step
  const found: Array<number> = []
  // Clocks are changed by about an hour: shorter steps go on as time does, longer ones as clocks do.
  if (step <= HOUR) { for (let at = first - shift; at <= to; at += step) found.push(at) }
  else {
    for (let clock = first; clock <= to + offset(times, to); clock += step) {
      const at = shown(times, clock, shift)
      if (at !== undefined && at >= from && at <= to) found.push(at)
    }
  }
  return found
}

/** What is written at the moments: dates where days begin, else times of day, the first of them with its date. */
export const labels = (times: Times, found: ReadonlyArray<number>, from: number, to: number): ReadonlyArray<string> => {
  const texts = found.map((seconds) => times.instant(seconds * 1000))
  if (to - from > 20 * DAY) return texts.map((text) => text.slice(0, 10))
  const isMidnight = (text: string): boolean => text.slice(11, 16) === "00:00"
  const hasDate = texts.some(isMidnight)
  return texts.map((text, index) =>
    isMidnight(text) ? text.slice(5, 10) : hasDate || index > 0 ? text.slice(11, 16) : text.slice(5, 16)
  )
}
