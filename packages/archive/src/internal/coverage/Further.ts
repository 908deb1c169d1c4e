/** Whether a run reads on: time that the archive has, and that it did not read, may make outcomes final. `Edges` tells whether it knows all. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import { wider } from "./Wider.ts"

const isKnown = ({ state }: Coverage.Coverage): boolean => state !== "incomplete"

const queryOf = ({ operation, query }: Coverage.Coverage): string => `${operation} ${Coverage.keyOf(query)}`

/** The time that the archive has, by query. */
const knownOf = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyMap<string, ReadonlyArray<Coverage.Interval>> =>
  new Map(
    Array.from(Map.groupBy(coverage, queryOf), ([query, parts]) => [query, Timeline.union(parts.filter(isKnown))])
  )

export interface Reading {
  /** What the archive knows of the time that would be read next. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** That time, and the part of it that was read. */
  readonly next: Coverage.Interval
  readonly read: Coverage.Interval
  /** Twice as far as the policy looks, ms. */
  readonly reach: number
  /** The end of all time of which the archive knows anything, Unix ms. */
  readonly end: number
}

/** What is looked at of a report. */
interface Told {
  readonly unread: Report.Report["unread"]
  readonly outcomes: ReadonlyArray<Pick<Outcome.Outcome, "deposits" | "final" | "missing" | "transfers">>
}

type Looked = Told["outcomes"][number]

/** Tells whether an outcome lacks time that the archive has; undefined where it lacks none. */
const lacks = ({ coverage }: Reading) => {
  const known = knownOf(coverage)
  return ({ missing }: Looked): boolean | undefined => {
    if (missing === undefined) return undefined
    const parts = known.get(queryOf(missing)) ?? []
    return missing.gap?.code === "not-read" && parts.some((part) => Timeline.overlaps(part, missing))
  }
}

/** Tells whether the archive lacks no time beside an outcome: such time keeps what is beside it from being final. */
const isBesideNoHole = ({ coverage, next, reach }: Reading) => {
  const known = knownOf(coverage)
  const hasHole = (interval: Coverage.Interval): boolean =>
    Array.from(known.values()).some((parts) => Timeline.gaps(parts, interval).length > 0)
  return ({ deposits, transfers }: Looked): boolean =>
    ![...deposits, ...transfers].some(({ at }) => {
      const near = Timeline.common(wider({ from: at, to: at + 1 }, reach), next)
      return near !== undefined && hasHole(near)
    })
}

/** Tells whether the archive has anything of the time that would be read next besides what was read. */
const hasMore = ({ coverage, read }: Reading): boolean =>
  coverage.some((part) => isKnown(part) && (part.from < read.from || part.to > read.to))

/** Only what is settled and lies far from the end of the archive counts: of everything else time itself will tell. */
const isOpenPast = ({ end, reach }: Reading) => {
  const past = end - reach
  return ({ deposits, final, transfers }: Looked): boolean => {
    const entries = [...deposits, ...transfers]
    return !final && entries.length > 0 && entries.every(({ at, status }) => status === "settled" && at < past)
  }
}

interface Watch {
  readonly add: (outcome: Looked) => void
  /** Tells, when all outcomes were looked at, whether any of them may be another one or become final by further reading. */
  readonly mayChange: (unread: Told["unread"]) => boolean
}

const NOTHING: Watch = { add: () => {}, mayChange: () => false }

/** Looks at the outcomes of a run one by one, as they are decided. */
export const watch = (reading: Reading): Watch => {
  if (!hasMore(reading)) return NOTHING
  const [isPast, isLacking, isFree] = [isOpenPast(reading), lacks(reading), isBesideNoHole(reading)]
  let [isAnyLacking, isAnyFree] = [false, false]
  return {
    add: (outcome) => {
      if (isAnyLacking || !isPast(outcome)) return
      const isHelped = isLacking(outcome)
      if (isHelped === undefined) isAnyFree ||= isFree(outcome)
      else isAnyLacking = isHelped
    },
    // Where something of the range itself was not read, nothing but that keeps the rest from being final.
    mayChange: (unread) => isAnyLacking || (isAnyFree && unread.length === 0)
  }
}

/** Tells whether reading further may change a report. */
export const mayChange = (reading: Reading, { outcomes, unread }: Told): boolean => {
  const watched = watch(reading)
  for (const outcome of outcomes) watched.add(outcome)
  return watched.mayChange(unread)
}
