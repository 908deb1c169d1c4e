/** Tells how far an interval of record time was read in one or several scopes: completely, not yet, or with a gap. */
import * as Coverage from "@tallystick/core/Coverage"
import { item } from "../ledger/Column.ts"

/**
 * `open` means that it was read too early, or lies beyond the end of the reading: waiting settles it. A `gap` is not settled
 * by waiting.
 */
type State = "complete" | "open" | "gap"

interface Scope extends Pick<Coverage.Coverage, "operation" | "query"> {
  /** The time when it was last read; 0 if never. */
  readonly readAt: number
}

interface Segment {
  /** The start of the segment. It ends where the next one begins. */
  readonly from: number
  readonly state: State
  /** The coverage that gives the reason of a gap, if somebody asked at all. */
  readonly why: Coverage.Coverage | undefined
  readonly scope: Scope
}

/** Segments in order of time. The first begins at minus infinity. */
export type Timeline = ReadonlyArray<Segment>

export interface Judgement {
  readonly state: State
  /** The first gap inside the interval. */
  readonly missing: Coverage.Coverage | undefined
}

const weight = { complete: 0, open: 1, gap: 2 } as const

/** The judgement of an interval that was read, or that nobody has to read. */
export const complete: Judgement = { state: "complete", missing: undefined }

/** Returns the worst of several judgements, and of equally bad ones the first. */
export const worst = (judgements: Iterable<Judgement>): Judgement => {
  let found = complete
  for (const judgement of judgements) if (weight[judgement.state] > weight[found.state]) found = judgement
  return found
}

const holds = (coverage: Coverage.Coverage, time: number): boolean => coverage.from <= time && time < coverage.to

const segmentAt = (
  scope: Scope,
  coverages: ReadonlyArray<Coverage.Coverage>,
  end: number,
  from: number
): Segment => {
  const here = coverages.filter((coverage) => holds(coverage, from))
  if (here.some(({ state }) => state === "complete")) return { from, state: "complete", why: undefined, scope }
  const open = from >= end || here.some(({ state }) => state === "open")
  return { from, state: open ? "open" : "gap", why: open ? undefined : here[0], scope }
}

/** Makes the timeline of one scope. If several coverages hold an instant, the best of them counts. */
export const make = (
  scope: Pick<Coverage.Coverage, "operation" | "query">,
  coverages: ReadonlyArray<Coverage.Coverage>
): Timeline => {
  const known = Coverage.merge(coverages)
  let end = known.length === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  let readAt = 0
  for (const coverage of known) {
    end = Math.max(end, coverage.to)
    readAt = Math.max(readAt, coverage.readAt)
  }
  const bounds = new Set([Number.NEGATIVE_INFINITY, ...known.flatMap(({ from, to }) => [from, to])])
  return Array.from(bounds)
    .toSorted((a, b) => a - b)
    .map((from) => segmentAt({ ...scope, readAt }, known, end, from))
}

/**
 * Combines the timelines of scopes that are all needed. At every instant the worst of them counts, and of equally bad ones the
 * first.
 */
export const combine = (timelines: ReadonlyArray<Timeline>): Timeline => {
  const bounds = new Set(timelines.flatMap((timeline) => timeline.map(({ from }) => from)))
  const positions = timelines.map(() => 0)
  return Array.from(bounds)
    .toSorted((a, b) => a - b)
    .map((from) => {
      let worst: Segment | undefined
      timelines.forEach((timeline, index) => {
        let here = positions[index] ?? 0
        while (here + 1 < timeline.length && item(timeline, here + 1).from <= from) here++
        positions[index] = here
        const segment = item(timeline, here)
        if (worst === undefined || weight[segment.state] > weight[worst.state]) worst = segment
      })
      const { scope, state, why } = worst ?? item(item(timelines, 0), 0)
      return { from, state, why, scope }
    })
}

const position = (segments: Timeline, time: number): number => {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (item(segments, middle).from <= time) low = middle
    else high = middle - 1
  }
  return low
}

const notRead = "nobody asked for these records"

/** Judges the interval `[from, to]`, both ends inclusive. */
export const judge = (segments: Timeline, from: number, to: number): Judgement => {
  let state: State = "complete"
  for (let index = position(segments, from); index < segments.length; index++) {
    const segment = item(segments, index)
    if (segment.from > to) break
    if (segment.state === "gap") {
      const { scope, why } = segment
      const missing: Coverage.Coverage = {
        operation: scope.operation,
        ...(scope.query === undefined ? {} : { query: scope.query }),
        from: Math.max(segment.from, from),
        to: Math.min(segments[index + 1]?.from ?? Number.POSITIVE_INFINITY, to + 1),
        readAt: why?.readAt ?? scope.readAt,
        state: "incomplete",
        gap: why?.gap ?? { code: "not-read", detail: notRead }
      }
      return { state: "gap", missing }
    }
    if (weight[segment.state] > weight[state]) state = segment.state
  }
  return { state, missing: undefined }
}
