/** A sync asks for the time that coverage lacks, with a safety overlap, and for records that may still change. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"

type Interval = Coverage.Interval

/** A scope is what a plan is made from, of one operation and query. */
export interface Scope {
  /** This coverage of it is known, in any order. */
  readonly known: ReadonlyArray<Coverage.Coverage>
  /** Records at these times have a status that may still change, Unix ms. */
  readonly unsettled: ReadonlyArray<number>
}

export interface Bounds {
  /**
   * The archive shall keep everything from this moment on, Unix ms; undefined means as far back as it was read, or `oldest` where
   * that is earlier. Where the moment lies in a gap, all of the gap shall be kept.
   */
  readonly begin: number | undefined
  readonly oldest: number
  /** The service may be asked for this moment and later ones, Unix ms. */
  readonly reach: number
  /** The service certainly still knows this moment and later ones, Unix ms. */
  readonly certain: number
  /** The plan ends at this server time, Unix ms. */
  readonly now: number
  /** So much time before the end of coverage is read again, ms. */
  readonly overlap: number
  /** The service will soon forget this time, so it is read a last time. */
  readonly last?: Interval
}

export interface Plan {
  /** These intervals are asked for, in order of time, without overlaps. */
  readonly asked: ReadonlyArray<Interval>
  /** These intervals are lacking and can no longer be asked for, which was not known before. */
  readonly lost: ReadonlyArray<Interval>
}

/** Records that may still change are read again with everything of their hour: few queries for many of them. */
const HOUR = 3_600_000

const isForgotten = ({ gap, state }: Coverage.Coverage): boolean => state === "incomplete" && gap?.code === "retention"

const earliest = (known: ReadonlyArray<Coverage.Coverage>, otherwise: number): number =>
  known.reduce((least, { from }) => Math.min(least, from), otherwise)

/**
 * Gives the first moment to keep or, where that lies in a gap, the beginning of the gap: a hole that was left behind it would
 * never be closed.
 */
const beginning = (told: ReadonlyArray<Coverage.Coverage>, first: number): number => {
  const last = Coverage.uncovered(told, { from: earliest(told, first), to: first }).at(-1)
  return last?.to === first ? last.from : first
}

export const make = ({ known, unsettled }: Scope, bounds: Bounds): Plan => {
  const { certain, last, now, oldest, overlap, reach } = bounds
  const told = known.map((part): Coverage.Coverage => isForgotten(part) ? { ...part, state: "complete" } : part)
  const first = bounds.begin === undefined ? undefined : beginning(told, bounds.begin)
  const begin = first ?? earliest(known, oldest)
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
      [...holes, { from: again - overlap, to: now }, ...hours, ...(last === undefined ? [] : [last])],
      [{ from: Math.max(begin, reach), to: now }]
    ),
    lost: Timeline.clip(Coverage.uncovered(told, { from: Math.min(kept, reach), to: Math.max(reach, kept) }), {
      from: kept,
      to: reach
    })
  }
}
