/** A sync asks for the time that coverage lacks, with a safety overlap, and for records that may still change. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"

type Interval = Coverage.Interval

/** Of one operation and query. */
export interface Scope {
  /** What is known of it, in any order. */
  readonly known: ReadonlyArray<Coverage.Coverage>
  /** Times of records whose status may still change, Unix ms. */
  readonly unsettled: ReadonlyArray<number>
}

export interface Bounds {
  /**
   * First moment that shall be kept, Unix ms; undefined: as far back as it was, or can be, read. Where it lies in a gap, all of
   * the gap shall be kept.
   */
  readonly begin: number | undefined
  /** First moment that the service may be asked for, Unix ms. */
  readonly reach: number
  /** First moment that it certainly still knows, Unix ms. */
  readonly certain: number
  /** Server time, Unix ms: the end. */
  readonly now: number
  /** How much before the end of coverage is read again, ms. */
  readonly overlap: number
}

export interface Plan {
  /** In order of time, without overlaps. */
  readonly asked: ReadonlyArray<Interval>
  /** What is lacking, can no longer be asked for, and was not known to be so. */
  readonly lost: ReadonlyArray<Interval>
}

/** Records that may still change are read again with everything of their hour: few queries for many of them. */
const HOUR = 3_600_000

const isForgotten = ({ gap, state }: Coverage.Coverage): boolean => state === "incomplete" && gap?.code === "retention"

const earliest = (known: ReadonlyArray<Coverage.Coverage>, otherwise: number): number =>
  known.reduce((least, { from }) => Math.min(least, from), otherwise)

/** Where a first moment to keep begins, or the gap in which it lies: a hole that was left behind it would never be closed. */
const beginning = (told: ReadonlyArray<Coverage.Coverage>, first: number): number => {
  const last = Coverage.uncovered(told, { from: earliest(told, first), to: first }).at(-1)
  return last?.to === first ? last.from : first
}

export const make = ({ known, unsettled }: Scope, bounds: Bounds): Plan => {
  const { certain, now, overlap, reach } = bounds
  const told = known.map((part): Coverage.Coverage => isForgotten(part) ? { ...part, state: "complete" } : part)
  const first = bounds.begin === undefined ? undefined : beginning(told, bounds.begin)
  const begin = first ?? earliest(known, reach)
  const holes = Coverage.uncovered(known, { from: begin, to: now })
  const end = holes.at(-1)
  const again = end === undefined || end.to < now ? now : end.from
  const hours = Array.from(new Set(unsettled.map((at) => Math.floor(at / HOUR)))).map((hour) => ({
    from: Math.max(hour * HOUR, certain),
    to: (hour + 1) * HOUR
  }))
  const kept = first ?? earliest(known.filter(({ state }) => state === "complete"), reach)
  return {
    asked: Timeline.intersect(
      [...holes, { from: again - overlap, to: now }, ...hours],
      [{ from: Math.max(begin, reach), to: now }]
    ),
    lost: Timeline.clip(Coverage.uncovered(told, { from: Math.min(kept, reach), to: Math.max(reach, kept) }), {
      from: kept,
      to: reach
    })
  }
}
