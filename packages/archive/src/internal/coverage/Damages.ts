/** Coverage says nothing of time whose rows no longer agree with what was written. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Day from "./Day.ts"

export const GAP: Coverage.Gap = {
  code: "damaged",
  detail: "the archive does not hold what was proven here: read it again, or restore a backup"
}

/** The earlier state of records is unknown where their time was damaged and read again. */
export const LOST: Coverage.Gap = {
  code: "damaged",
  detail: "the archive lost rows of this time, and the exchange shows only what it knows now: restore a backup"
}

/** A clock that is ahead proves nothing of the time that it tells too early. */
export const AHEAD: Coverage.Gap = {
  code: "not-read",
  detail:
    "a round called it complete while the exchange's clock ran ahead, and it was not read again since: run tallystick sync"
}

/** Where the exchange's clock is behind this machine's, it may be the one that is wrong. */
export const BEHIND: Coverage.Gap = {
  code: "not-read",
  detail:
    "a round called it complete, but the exchange's clock told an earlier time later and was behind this machine's, " +
    "and it was not read again since: run tallystick sync once both clocks agree"
}

/** Nobody can vouch for time that has not come. */
export const VOUCHED_AHEAD: Coverage.Gap = {
  code: "not-read",
  detail: "a person vouched for it by a clock that was ahead, and it had not come when a sync found that: " +
    "run tallystick sync, or vouch for it again"
}

/** Damaged time carries the gap that reports tell of it. */
export interface Damaged extends Coverage.Interval {
  readonly gap: Coverage.Gap
}

export const of = (gap: Coverage.Gap) => ({ from, to }: Coverage.Interval): Damaged => ({ from, to, gap })

/**
 * Names the stretches that are not as they were written, each with the rest of its day (UTC): a record that tells no time is
 * kept at the first place on a day to which it may belong. `before` is the end of the day of which something earlier is
 * damaged.
 */
export const restOfDays = (
  { from }: Coverage.Interval,
  stretches: ReadonlyArray<Coverage.Interval>,
  before: number
): ReadonlyArray<Damaged> =>
  [{ from, to: before }, ...stretches.map(({ from, to }) => ({ from, to: Day.endOf(to - 1) }))]
    .filter(({ from, to }) => from < to).map(of(GAP))

const isComplete = ({ state }: Coverage.Coverage): boolean => state === "complete"

/**
 * Gives coverage, free of overlaps, that no longer calls anything in `damaged` complete; where two stretches of `damaged`
 * overlap, the earlier one gives the gap. `isTold` says which parts carry the gap, by default complete ones.
 */
export const withGaps = <Part extends Coverage.Coverage>(
  coverage: ReadonlyArray<Part>,
  damaged: ReadonlyArray<Damaged>,
  isTold: (part: Part) => boolean = isComplete
): ReadonlyArray<Part> => {
  if (damaged.length === 0) return coverage
  return coverage.flatMap((part): ReadonlyArray<Part> =>
    isTold(part)
      ? Timeline.pieces(damaged, part).map(({ from, part: damage, to }): Part =>
        Object.assign({}, part, { from, to }, damage && { state: "incomplete" as const, gap: damage.gap })
      )
      : [part]
  )
}

/**
 * Does the same where rows were lost, and also where the service had forgotten such time before it was read again, because it
 * had been read before.
 */
export const withLost = <Part extends Coverage.Coverage>(
  coverage: ReadonlyArray<Part>,
  lost: ReadonlyArray<Coverage.Interval>
): ReadonlyArray<Part> =>
  withGaps(coverage, lost.map(of(LOST)), (part) => isComplete(part) || part.gap?.code === "retention")
