/** Draws the coverage of each operation as a lane over time, for any number of queries. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"

/**
 * The state is `complete` if everything that was asked for is proven, `open` if a part is too young to be settled, `gap` if a
 * part is not proven complete, `partly` if some queries never reached it, and `unread` if nobody asked for it.
 */
export type State = "complete" | "open" | "gap" | "partly" | "unread"

/** An interval `[from, to)`, Unix ms. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly state: State
  /** The reasons why it is not complete, in the order in which they were found; at most a few. */
  readonly details: ReadonlyArray<string>
}

export interface Lane {
  readonly operation: Coverage.Coverage["operation"]
  readonly queries: number
  readonly segments: ReadonlyArray<Segment>
}

const DETAILS = 5

const stateOf = (parts: ReadonlyArray<Coverage.Coverage>, all: boolean): State => {
  if (parts.length === 0) return "unread"
  if (parts.some(({ state }) => state === "incomplete")) return "gap"
  if (!all) return "partly"
  return parts.some(({ state }) => state === "open") ? "open" : "complete"
}

const detailsOf = (parts: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<string> =>
  Array.from(new Set(parts.flatMap(({ gap }) => (gap === undefined ? [] : [gap.detail]))))

const scopesOf = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<ReadonlyArray<Coverage.Coverage>> =>
  Array.from(Map.groupBy(coverage, ({ query }) => Coverage.keyOf(query)).values())

/** Returns segments of `[from, to)` that follow each other without a hole. Neighbours differ. */
const segmentsOf = (
  scopes: ReadonlyArray<ReadonlyArray<Coverage.Coverage>>,
  { from, to }: Coverage.Interval
): ReadonlyArray<Segment> => {
  const parts = scopes.flatMap((scope, number) => Coverage.clip(scope, { from, to }).map((part) => ({ part, number })))
  const starts = parts.toSorted((a, b) => a.part.from - b.part.from)
  const cuts = Timeline.borders([{ from, to }, ...parts.map(({ part }) => part)])
  const segments: Array<Segment> = []
  const present = new Set<(typeof parts)[number]>()
  let next = 0
  cuts.slice(0, -1).forEach((start, index) => {
    const end = cuts[index + 1] ?? to
    for (const one of present) if (one.part.to <= start) present.delete(one)
    for (let one = starts[next]; one !== undefined && one.part.from <= start; one = starts[++next]) present.add(one)
    const here = Array.from(present, ({ part }) => part)
    const reached = new Set(Array.from(present, ({ number }) => number)).size
    const state = stateOf(here, reached === scopes.length)
    const details = detailsOf(here)
    const last = segments.at(-1)
    if (last !== undefined && last.state === state) {
      const all = Array.from(new Set([...last.details, ...details])).slice(0, DETAILS)
      segments[segments.length - 1] = { ...last, to: end, details: all }
    } else segments.push({ from: start, to: end, state, details: details.slice(0, DETAILS) })
  })
  return segments
}

/** Makes one lane for each side, over `[from, to)`. */
export const make = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  interval: Coverage.Interval
): ReadonlyArray<Lane> =>
  (["deposits", "transfers"] as const).map((operation) => {
    const scopes = scopesOf(coverage.filter((one) => one.operation === operation))
    return { operation, queries: scopes.length, segments: segmentsOf(scopes, interval) }
  })
