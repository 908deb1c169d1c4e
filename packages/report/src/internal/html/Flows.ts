/** Counts the entries of each side in each hour (or day, week, month), by the line of the totals in which they count. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"

/** The lines, from the bottom of the chart to its top. Entries outside of the range have one of their own, as in the totals. */
export const lines = ["matched", "setAside", "pending", "undetermined", "open", "ofOtherDays"] as const

type Unit = "5 minutes" | "hour" | "day" | "week" | "month"

/** Counts by line, in the order of {@link lines}, with one number for each interval. */
export type Counts = ReadonlyArray<ReadonlyArray<number>>

export interface Flows {
  readonly unit: Unit
  /** The beginnings of the intervals, Unix ms, and after them the end of the last interval. */
  readonly edges: ReadonlyArray<number>
  readonly deposits: Counts
  readonly transfers: Counts
  /** Entries outside of the range, in outcomes that reach into it. */
  readonly outside: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const unitOf = (length: number): Unit => {
  if (length <= 3 * HOUR) return "5 minutes"
  if (length <= 8 * DAY) return "hour"
  if (length <= 200 * DAY) return "day"
  return length <= 1500 * DAY ? "week" : "month"
}

const lengths = { "5 minutes": 5 * MINUTE, hour: HOUR } as const

/** Returns the edges of intervals that hold both moments, by the clock or the calendar of the zone. */
const edgesOf = (from: number, to: number, unit: Unit, zone: DateTime.TimeZone | undefined): ReadonlyArray<number> => {
  const local = DateTime.makeZonedUnsafe(from, { timeZone: zone ?? "UTC" })
  if (unit === "5 minutes" || unit === "hour") {
    const length = lengths[unit]
    const offset = DateTime.zonedOffset(local)
    const first = Math.floor((from + offset) / length) * length - offset
    return Array.from({ length: Math.floor((to - first) / length) + 2 }, (_, index) => first + index * length)
  }
  const first = DateTime.startOf(local, unit)
  const edges = [DateTime.toEpochMillis(first)]
  for (let index = 1; (edges.at(-1) ?? to) <= to; index++) {
    edges.push(DateTime.toEpochMillis(DateTime.add(first, { [`${unit}s`]: index })))
  }
  return edges
}

/** Returns the last edge that is not later. */
const placeOf = (edges: ReadonlyArray<number>, at: number): number => {
  let [low, high] = [0, edges.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((edges[middle] ?? at) <= at) low = middle
    else high = middle
  }
  return low
}

const sides = ["deposits", "transfers"] as const

/** Counts the entries, each once, in the line where the control totals count it. The result is null if there are no entries. */
export const make = (
  outcomes: ReadonlyArray<Outcome.Outcome>,
  { range = null, zone }: {
    /** The range by which the report counts; null is everything. */
    readonly range?: Report.Summary["range"]
    /** The zone whose clock cuts the intervals; default UTC. */
    readonly zone?: DateTime.TimeZone | undefined
  } = {}
): Flows | null => {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const isInRange = Report.isInRange(range)
  let outside = 0
  for (const outcome of outcomes) {
    for (const side of sides) {
      for (const entry of outcome[side]) {
        from = Math.min(from, entry.at)
        to = Math.max(to, entry.at)
        if (!isInRange(entry)) outside++
      }
    }
  }
  if (from > to) return null
  const unit = unitOf(to - from)
  const edges = edgesOf(from, to, unit, zone)
  const empty = () => lines.map(() => Array.from({ length: edges.length - 1 }, () => 0))
  const counts = { deposits: empty(), transfers: empty() }
  for (const outcome of outcomes) {
    const shares = Report.sharesOf(outcome)
    for (const side of sides) {
      for (const share of shares[side]) {
        for (const entry of outcome[side].slice(share.from, share.to)) {
          const line = counts[side][lines.indexOf(isInRange(entry) ? share.bucket : "ofOtherDays")] ?? []
          const place = placeOf(edges, entry.at)
          line[place] = (line[place] ?? 0) + 1
        }
      }
    }
  }
  return { unit, edges, ...counts, outside }
}
