/** Tells how far an interval of record time was read in one or several scopes: completely, not yet, or with a gap. */
import * as Coverage from "@tallystick/core/Coverage"
import { item } from "../ledger/Column.ts"

/**
 * `open` means that it was read too early, or lies beyond the end of the reading: waiting settles it, unless the reading came later
 * and left it out. A `gap` is not settled by waiting.
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
  /** The coverage that gives the reason of a gap, if somebody asked at all; and of open time that lay in the past of a reading. */
  readonly why: Coverage.Coverage | undefined
  readonly scope: Scope
}

/** Segments in order of time. The first begins at minus infinity. */
export type Timeline = ReadonlyArray<Segment>

export interface Judgement {
  readonly state: State
  /** The first gap inside the interval; without one, the first open part, where all open parts are past and were left out. */
  readonly missing: Coverage.Coverage | undefined
}

const weight = { complete: 0, open: 1, gap: 2 } as const

/** The judgement of an interval that was read, or that nobody has to read. */
export const complete: Judgement = { state: "complete", missing: undefined }

/** Whether something was not read that waiting does not bring. */
export const isLeftOut = ({ missing, state }: Judgement): boolean => state === "gap" || missing !== undefined

/** Whether one judgement is worse than another: of two open ones, the one that waiting does not settle. */
const isWorse = (one: Judgement, other: Judgement): boolean =>
  weight[one.state] > weight[other.state] ||
  (one.state === other.state && one.missing !== undefined && other.missing === undefined)

/** Returns the worst of several judgements, and of equally bad ones the first. */
export const worst = (judgements: Iterable<Judgement>): Judgement => {
  let found = complete
  for (const judgement of judgements) if (isWorse(judgement, found)) found = judgement
  return found
}

const holds = (coverage: Coverage.Coverage, time: number): boolean => coverage.from <= time && time < coverage.to

const notRead = "nobody asked for these records"

/** A reading may take so long, ms. What comes meanwhile is read the next time. */
const LONGEST_READING = 3_600_000

/** Time before this was past when the scope was read last. */
const pastAt = ({ readAt }: Pick<Scope, "readAt">): number => readAt - LONGEST_READING

const segmentAt = (
  scope: Scope,
  coverages: ReadonlyArray<Coverage.Coverage>,
  end: number,
  from: number
): Segment => {
  if (from >= end) {
    const past = pastAt(scope)
    const why: Coverage.Coverage | undefined = from < past
      ? { ...scope, from: end, to: past, state: "incomplete", gap: { code: "not-read", detail: notRead } }
      : undefined
    return { from, state: "open", why, scope }
  }
  const here = coverages.filter((coverage) => holds(coverage, from))
  if (here.some(({ state }) => state === "complete")) return { from, state: "complete", why: undefined, scope }
  const open = here.some(({ state }) => state === "open")
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
  const bounds = new Set([
    Number.NEGATIVE_INFINITY,
    ...known.flatMap(({ from, to }) => [from, to]),
    ...(pastAt({ readAt }) > end ? [pastAt({ readAt })] : [])
  ])
  return Array.from(bounds)
    .toSorted((a, b) => a - b)
    .map((from) => segmentAt({ ...scope, readAt }, known, end, from))
}

/**
 * Combines the timelines of scopes that are all needed. At every instant the worst of them counts, and of equally bad ones the
 * first; open time that one of them left out although it was past is worse than what is to come.
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
        const isWorst = worst === undefined || weight[segment.state] > weight[worst.state] ||
          (segment.state === "open" && worst.state === "open" && segment.why !== undefined && worst.why === undefined)
        if (isWorst) worst = segment
      })
      const { scope, state, why } = worst ?? item(item(timelines, 0), 0)
      return { from, state, why, scope }
    })
}

/** Returns the timeline as it will be once all that is still to come was read; what was left out stays so. */
export const waited = (segments: Timeline): Timeline =>
  segments.map((segment) =>
    segment.state === "open" && segment.why === undefined ? { ...segment, state: "complete" } : segment
  )

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

const lacking = (segment: Segment, next: Segment | undefined, from: number, to: number): Coverage.Coverage => {
  const { scope, why } = segment
  return {
    operation: scope.operation,
    ...(scope.query === undefined ? {} : { query: scope.query }),
    from: Math.max(segment.from, from),
    to: Math.min(next?.from ?? Number.POSITIVE_INFINITY, to + 1),
    readAt: why?.readAt ?? scope.readAt,
    state: "incomplete",
    gap: why?.gap ?? { code: "not-read", detail: notRead }
  }
}

/** Judges the interval `[from, to]`, both ends inclusive. */
export const judge = (segments: Timeline, from: number, to: number): Judgement => {
  let state: State = "complete"
  let missing: Coverage.Coverage | undefined
  for (let index = position(segments, from); index < segments.length; index++) {
    const segment = item(segments, index)
    if (segment.from > to) break
    if (segment.state === "gap") return { state: "gap", missing: lacking(segment, segments[index + 1], from, to) }
    if (segment.state === "complete") continue
    state = "open"
    // What is still to come lies behind what was left out: where the interval reaches into it, waiting may settle the whole.
    missing = segment.why === undefined ? undefined : missing ?? lacking(segment, segments[index + 1], from, to)
  }
  return { state, missing }
}
