/** The result of a round of sync, in words. */
import type * as Sync from "@tallystick/archive/Sync"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Learnt from "@tallystick/core/Learnt"
import * as Timeline from "@tallystick/core/Timeline"
import * as Text from "@tallystick/report/text/Text"
import { duration } from "@tallystick/report/text/Times"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as CoverageText from "./CoverageText.ts"
import * as GapCause from "./GapCause.ts"

const HOUR = 3_600_000

const changes = ({ added, bad, changed, returned, vanished }: Sync.Summary): ReadonlyArray<string> => [
  `${Text.count(added)} added`,
  ...(changed === 0 ? [] : [`${Text.count(changed)} changed`]),
  ...(vanished === 0 ? [] : [`${Text.count(vanished)} vanished`]),
  ...(returned === 0 ? [] : [`${Text.count(returned)} shown again`]),
  ...(bad === 0 ? [] : [`${Text.count(bad)} could not be read`])
]

/**
 * `complete from 2026-11-19 09:10:00 to 2026-11-22 09:10:00 UTC, but for 2 gaps that tallystick archive status names`. The number
 * of gaps before the end is `holes`. Nothing is given where no time is complete for all that was asked for.
 */
export const complete = (
  from: number | null,
  end: number | null,
  holes: number,
  { stretch }: ZonedTimes
): string | undefined =>
  from === null || end === null || from >= end ? undefined : `complete ${stretch({ from, to: end })}` +
    (holes === 0 ? "" : `, but for ${Text.counted(holes, "gap")} that tallystick archive status names`)

const reach = ({ completeFrom, completeTo, holes, left }: Sync.Summary, times: ZonedTimes): string =>
  (complete(completeFrom, completeTo, holes.length, times) ??
    "not everything that was asked for is complete at any time") +
  (left === 0 ? "" : ` (${Text.counted(left, "quiet list")} left for a later round)`)

/** `1,234 records in 57 pages: 1,200 added, 30 changed; complete from 2026-11-19 09:10:00 to 2026-11-22 09:10:00 UTC`. */
export const done = (summary: Sync.Summary, times: ZonedTimes): string =>
  `${Text.counted(summary.records, "record")} in ${Text.counted(summary.pages, "page")}: ${
    changes(summary).join(", ")
  }; ${reach(summary, times)}`

/** Of which operations the lists are not believed, and why: one line, or none. */
export const disbelief = (learnt: Learnt.Learnt): ReadonlyArray<string> => {
  const doubted = (["deposits", "transfers"] as const).filter((operation) => learnt[operation]?.believed === false)
  if (doubted.length === 0) return []
  const isLost = doubted.some((operation) => learnt[operation]?.learntAt === 0)
  return [
    `the service's lists of ${Text.listed(doubted)} are not believed, because ${
      isLost ? "the archive lost what it knew of them" : "two readings of the same time differed"
    }: this round reads them by agreement, with many more requests`
  ]
}

const MINUTE = 60_000

/** `71.9 hours`; the last hour is told in minutes. `length` in ms. */
const left = (length: number): string =>
  length < HOUR
    ? Text.counted(Math.max(0, Math.floor(length / MINUTE)), "minute")
    : `${(length / HOUR).toFixed(1)} hours`

/** `the service forgets the first unread deposit in 71.9 hours (2026-11-25 09:12 UTC)`. */
export const deadline = (deadline: number, now: number, { minute, suffix }: ZonedTimes): string =>
  deadline <= now
    ? "the service is forgetting deposits that were never read"
    : `the service forgets the first unread deposit in ${left(deadline - now)} (${minute(deadline)}${suffix})`

/** The most reasons of one kind that are told of an operation. */
const REASONS = 3

/** The longest reason that is told: it may quote a page of a firewall. */
const LONGEST = 160

const detailOf = ({ gap }: Coverage.Coverage): string => (gap?.detail ?? "not read").replaceAll(/\s+/g, " ").trim()

const causeOf = (gap: Coverage.Coverage): string => GapCause.of(detailOf(gap))

const shortened = (text: string): string => text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`

/** Tells why there are gaps of one cause: in the words of their one detail, or of the cause that their details share. */
const reasonOf = (gaps: ReadonlyArray<Coverage.Coverage>): string => {
  const [first = "", ...others] = new Set(gaps.map(detailOf))
  return shortened(others.length === 0 ? first : GapCause.of(first))
}

/** Tells the gaps that have one cause: how many queries have them, and the interval in which all of them lie. */
const alike = ({ bound, stretch, suffix }: ZonedTimes) => (gaps: ReadonlyArray<Coverage.Coverage>): string => {
  const [first] = gaps
  if (first === undefined) return ""
  const queries = new Map(gaps.flatMap(({ query }) => query === undefined ? [] : [[Coverage.keyOf(query), query]]))
  const from = Math.min(...gaps.map((gap) => gap.from))
  const to = Math.max(...gaps.map((gap) => gap.to))
  const isOne = gaps.every((gap) => gap.from === from && gap.to === to)
  const time = isOne ? stretch({ from, to }) : `between ${bound(from)} and ${bound(to)}${suffix}`
  return `${CoverageText.about(first.operation, Array.from(queries.values()))} ${time}: ${reasonOf(gaps)}`
}

/** Tells the gaps of one operation and kind, cause by cause, those of the most queries first. */
const ofKind = (times: ZonedTimes) => (gaps: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<string> => {
  const reasons = Array.from(Map.groupBy(gaps, causeOf).values()).toSorted((a, b) => b.length - a.length)
  const more = reasons.length - REASONS
  return [
    ...reasons.slice(0, REASONS).map(alike(times)),
    ...(more > 0
      ? [`${gaps[0]?.operation}: ${Text.counted(more, "more reason")}, which tallystick archive status names`]
      : [])
  ]
}

/** Whether a gap is another one than what a repair of this round left, which is told of the repair. */
const isOther = (damaged: Sync.Summary["damaged"]) => (gap: Coverage.Coverage): boolean => {
  const mended = damaged.filter(({ operation }) => operation === gap.operation)
  return gap.gap?.code !== "damaged" || !Timeline.covers(mended, gap)
}

/**
 * Warns of an exchange whose clock and this machine's differ, and tells what was taken back because a clock had run ahead: one line
 * each, or none. Where the exchange's clock is behind, it may be the wrong one, and the claims right.
 */
export const clock = (
  { clockAhead, withdrawn }: Pick<Sync.Summary, "clockAhead" | "withdrawn">,
  { stretch }: ZonedTimes
): ReadonlyArray<string> => [
  ...(clockAhead === 0
    ? []
    : [
      `the exchange's clock is ${duration(Math.abs(clockAhead))} ${
        clockAhead > 0 ? "ahead of" : "behind"
      } this machine's, and ` +
      "one of them is wrong: only what is settled by both counts as complete; set this machine's clock by NTP if it is the wrong one"
    ]),
  ...(["deposits", "transfers"] as const).flatMap((operation) => {
    const mine = withdrawn.filter((one) => one.operation === operation)
    if (mine.length === 0) return []
    const [from, to] = [Math.min(...mine.map(({ from }) => from)), Math.max(...mine.map(({ to }) => to))]
    return [
      `${operation} ${stretch({ from, to })}: ` + (clockAhead < 0
        ? "called complete, and to come by the exchange's clock, which is behind: taken back, and read again once both clocks agree"
        : "called complete while a clock ran ahead; taken back, and read again as far as that time has come")
    ]
  })
]

/** Names the time that is not proven complete: a line a reason, of however many queries and stretches. */
export const gaps = ({ damaged, gaps, lost }: Sync.Summary, times: ZonedTimes): ReadonlyArray<string> => [
  ...damaged.map((damage) =>
    `${damage.operation} ${
      times.stretch(damage)
    }: the archive was damaged; sync reads again what the service still shows, ` +
    "but nobody can read what it was before: it stays a gap until a backup is restored"
  ),
  ...lost.map((interval) =>
    `deposits ${times.stretch(interval)}: lost, the service had forgotten them before they were read`
  ),
  ...Array.from(
    Map.groupBy(gaps.filter(isOther(damaged)), ({ gap, operation }) => `${operation} ${gap?.code}`).values()
  ).flatMap(ofKind(times))
]

/** The causes of the gaps of a round, each with its operation. */
export const causes = ({ damaged, gaps }: Sync.Summary): ReadonlyArray<string> =>
  gaps.filter(isOther(damaged)).map((gap) => `${gap.operation}: ${causeOf(gap)}`)

/** Tells that nearly everything went at once: one line an operation. */
export const emptied = ({ emptied }: Pick<Sync.Summary, "emptied">): ReadonlyArray<string> =>
  emptied.map((operation) =>
    `${operation}: hardly any record is shown again that was read before, so the exchange may be at fault; the archive keeps all of ` +
    "them, and the next sync counts those that are shown again"
  )

/** The causes of what is in doubt although it was read. */
export const doubtful = ({ clockAhead, emptied, withdrawn }: Sync.Summary): ReadonlyArray<string> => [
  ...(clockAhead === 0 ? [] : [`clock: ${clockAhead > 0 ? "ahead" : "behind"}`]),
  ...emptied.map((operation) => `${operation}: emptied`),
  ...withdrawn.map(({ from, operation }) => `clock: ${operation} since ${from}`)
]

/** What else is told of a round beside its summary. */
interface Beside {
  /** Whether something is in doubt, which may be another thing than a gap. */
  readonly isDoubtful: boolean
  /** Whether nothing is named, because a round before named it. */
  readonly isAsBefore: boolean
}

/**
 * A round of `--watch` in one line: `ok: 3 added; complete from …; 71.9 hours left`; where a round before named what is missing or
 * in doubt, `2 gaps as before: …` or `doubtful as before: …`.
 */
export const health = (summary: Sync.Summary, times: ZonedTimes, { isAsBefore, isDoubtful }: Beside): string => {
  const missing = gaps(summary, times).length
  const isSure = missing === 0 && !isDoubtful
  const state = isSure ? "ok" : missing === 0 ? "doubtful" : Text.counted(missing, "gap")
  return `${state}${isAsBefore && !isSure ? " as before" : ""}: ${changes(summary).join(", ")}; ${
    reach(summary, times)
  }; ${left(summary.deadline - summary.now)} left`
}

/** A round that came to nothing: `failed: …; tried again in 10 min`, or `failed as before; …`. `every` in ms. */
export const failed = (message: string, every: number, isAsBefore = false): string =>
  `${isAsBefore ? "failed as before" : `failed: ${message}`}; tried again in ${duration(every)}`
