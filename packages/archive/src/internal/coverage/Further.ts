/** Whether time that the archive has, and that a run did not read, may change what the run says: a chain of entries goes on behind it. */
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

interface Reading {
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

/** Tells whether an outcome may be another one, or become final, where a run reads more of what the archive has. */
const isHelped = ({ coverage, next, reach }: Reading, { unread }: Told) => {
  const known = knownOf(coverage)
  const hasHole = (interval: Coverage.Interval): boolean =>
    Array.from(known.values()).some((parts) => Timeline.gaps(parts, interval).length > 0)
  return ({ deposits, missing, transfers }: Told["outcomes"][number]): boolean => {
    if (missing !== undefined) {
      const parts = known.get(queryOf(missing)) ?? []
      return missing.gap?.code === "not-read" && parts.some((part) => Timeline.overlaps(part, missing))
    }
    // Time that is not in the archive keeps what is beside it from being final.
    return unread.length === 0 && ![...deposits, ...transfers].some(({ at }) => {
      const near = Timeline.common(wider({ from: at, to: at + 1 }, reach), next)
      return near !== undefined && hasHole(near)
    })
  }
}

/** Tells whether the archive has anything of the time that would be read next besides what was read. */
const hasMore = ({ coverage, read }: Reading): boolean =>
  coverage.some((part) => isKnown(part) && (part.from < read.from || part.to > read.to))

/** Only what is settled and lies far from the end of the archive counts: of everything else time itself will tell. */
export const mayChange = (reading: Reading, report: Told): boolean => {
  if (!hasMore(reading)) return false
  const isHelpedBy = isHelped(reading, report)
  const past = reading.end - reading.reach
  return report.outcomes.some((outcome) => {
    const entries = [...outcome.deposits, ...outcome.transfers]
    return !outcome.final && entries.length > 0 && isHelpedBy(outcome) &&
      entries.every(({ at, status }) => status === "settled" && at < past)
  })
}
