/** An archive's status for a person: what it holds, a bar of what is complete, and what is missing, in words. */
import * as Status from "@tallystick/archive/Status"
import type * as SyncStatus from "@tallystick/archive/SyncStatus"
import * as Origin from "@tallystick/core/Origin"
import { scopeOf } from "@tallystick/report/text/Scope"
import * as Style from "@tallystick/report/text/Style"
import * as Text from "@tallystick/report/text/Text"
import { duration } from "@tallystick/report/text/Times"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as CoverageText from "./CoverageText.ts"
import * as SyncText from "./SyncText.ts"

export interface Options {
  /** Cells of a line; at least 60. */
  readonly width: number
  readonly color: boolean
  readonly times: ZonedTimes
}

interface Sheet {
  readonly width: number
  readonly style: Style.Style
  readonly times: ZonedTimes
}

type Lines = ReadonlyArray<string>

/** The most holes and laggards that are told; `--format json` has all. */
const HOLES = 8
const LAGGARDS = 5

const SECOND = 1000

const RECORDED = "This is what was recorded; tallystick archive check reads what is kept and verifies it."

const signs: Readonly<
  Record<Status.State, { readonly sign: string; readonly paint: keyof Style.Style; readonly word: string }>
> = {
  complete: { sign: "#", paint: "good", word: "complete" },
  vouched: { sign: "+", paint: "good", word: "complete by your word" },
  open: { sign: "~", paint: "doubtful", word: "too young" },
  incomplete: { sign: "!", paint: "bad", word: "not proven" },
  unread: { sign: ".", paint: "faint", word: "not read" }
}

const day = (text: string): string => text.slice(0, 16)

const bar = (side: SyncStatus.Side, { interval }: SyncStatus.SyncStatus, { style, times, width }: Sheet): Lines => {
  const [from, to] = [day(times.bound(interval.from)), day(times.bound(interval.to))]
  const cells = Math.max(10, width - from.length - to.length - 6)
  const states = Status.timeline(Status.together(side.scopes), interval, cells)
  const painted = states.map((state) => style[signs[state].paint](signs[state].sign)).join("")
  const seen = Status.states.filter((state) => states.includes(state))
  return [
    `  ${from} ${painted} ${to}`,
    style.faint(`  ${seen.map((state) => `${signs[state].sign} ${signs[state].word}`).join("   ")}`)
  ]
}

/** Whether anything is known of it, if only that what was known was lost. */
const isKnown = ({ scopes }: SyncStatus.Side): boolean =>
  scopes.some(({ parts }) => parts.some(({ state }) => state !== "unread"))

/** Nothing was ever read into it or vouched for: there is no time to show. */
const isEmpty = ({ sides }: SyncStatus.SyncStatus): boolean =>
  sides.every((side) => side.first === null && !isKnown(side))

/** To the second: what was just read is `0 s` ago. */
const since = (ms: number): string => duration(Math.round(ms / SECOND) * SECOND)

const holes = (side: SyncStatus.Side, { style, times, width }: Sheet): Lines => {
  const all = isKnown(side) ? Status.holes(side.scopes) : []
  const lines = all.slice(0, HOLES).flatMap(({ from, gap, queries, to }) => {
    const about = queries.length === side.scopes.length && queries.length > 1
      ? `all ${side.operation}`
      : CoverageText.about(side.operation, queries)
    const text = `${about} from ${times.bound(from)} to ${times.bound(to)}: ${gap?.detail ?? "not read"}`
    return Text.paragraph("  - ", Text.plain(text), width).map(style.doubtful)
  })
  const hidden = all.length - HOLES
  return hidden > 0
    ? [...lines, style.faint(`  … and ${Text.counted(hidden, "more gap")}; --format json has all`)]
    : lines
}

const laggards = (side: SyncStatus.Side, { times, width }: Sheet): Lines => {
  const behind = Status.laggards(side.scopes)
  const hidden = behind.length - LAGGARDS
  const lines = behind.slice(0, LAGGARDS).flatMap(({ completeTo, query }) => {
    const about = query === undefined ? side.operation : scopeOf({ operation: side.operation, query })
    const end = completeTo === null ? "nothing complete" : `complete only to ${times.bound(completeTo)}`
    return Text.paragraph("  - ", Text.plain(`${about}: ${end}`), width)
  })
  return hidden > 0 ? [...lines, `  … and ${Text.count(hidden)} more behind; --format json has all`] : lines
}

/** Counts for an auditor: a count of zero is not told. */
const remarks = ({ counts }: SyncStatus.Side): Lines => {
  const { conflicts, fromFiles, unreadable, vanished, versions } = counts
  const told = [
    versions === 0 ? "" : Text.counted(versions, "earlier version"),
    fromFiles === 0 ? "" : `${Text.counted(fromFiles, "version")} from files`,
    conflicts === 0 ? "" : Text.counted(conflicts, "conflicting content"),
    vanished === 0 ? "" : `${Text.count(vanished)} no longer shown by the exchange`,
    unreadable === 0 ? "" : `${Text.count(unreadable)} that could not be read`
  ].filter((text) => text !== "")
  return told.length === 0 ? [] : [`  ${told.join(", ")}`]
}

/** Coverage from before stays as it was: nobody knows whether the service answered so then. */
const disbelief = ({ disbelievedSince, operation }: SyncStatus.Side, { style, times, width }: Sheet): Lines => {
  if (disbelievedSince === null) return []
  const lists = `the service's lists of ${operation} are not believed, because`
  const found = disbelievedSince === 0
    ? `${lists} the archive lost what it knew of them: what is read from now on is`
    : `since ${times.bound(disbelievedSince)} ${lists} two readings of the same time differed: what was read since is`
  const before = "what was complete before was read as its lists had it"
  return Text.paragraph("  - ", `${found} proven by agreement; ${before}`, width).map(style.doubtful)
}

const sideLines = (side: SyncStatus.Side, view: SyncStatus.SyncStatus, sheet: Sheet): Lines => {
  const { style, times } = sheet
  const { counts, first, last, operation, readTo, scopes } = side
  const queries = scopes.length > 1 ? ` of ${Text.count(scopes.length)} queries` : ""
  const extent = first === null || last === null
    ? "no record"
    : `${Text.counted(counts.records, "record")} from ${times.bound(first)} to ${times.bound(last)}`
  const end = Status.completeTo(scopes)
  return [
    "",
    style.strong(`${operation.toUpperCase()}${queries}: ${extent}`),
    ...remarks(side),
    ...(isEmpty(view) ? [] : bar(side, view, sheet)),
    `  ${end === null ? "not complete anywhere" : `complete to ${times.bound(end)}`}${
      readTo === null ? "" : `; read to ${times.bound(readTo)}, ${since(view.now - readTo)} ago`
    }`,
    ...disbelief(side, sheet),
    ...holes(side, sheet),
    ...laggards(side, sheet)
  ]
}

/** The accounts that the exchange listed, and those that it lists no more. */
const listedLines = ({ subAccounts }: SyncStatus.SyncStatus, { style, times, width }: Sheet): Lines => {
  if (subAccounts.length === 0) return []
  const last = subAccounts.reduce((latest, { lastSeen, missedAt = 0 }) => Math.max(latest, lastSeen, missedAt), 0)
  const gone = subAccounts.flatMap(({ lastSeen, missedAt, name }) =>
    missedAt === undefined
      ? []
      : [`${name}: last on the list of ${times.bound(lastSeen)}, and not on that of ${times.bound(missedAt)}`]
  )
  const lines = gone.slice(0, LAGGARDS).flatMap((text) => Text.paragraph("  - ", Text.plain(text), width))
  const hidden = gone.length - LAGGARDS
  return [
    "",
    style.strong(
      `SUB-ACCOUNTS: ${Text.count(subAccounts.length - gone.length)} on the exchange's lists up to ${times.bound(last)}`
    ),
    ...lines,
    ...(hidden > 0 ? [`  … and ${Text.count(hidden)} more; --format json has all`] : [])
  ]
}

/** One text, ending in a line break. */
export const render = (
  view: SyncStatus.SyncStatus,
  holder: string | undefined,
  { color, times, width }: Options
): string => {
  const sheet: Sheet = {
    width: Math.max(60, width),
    style: color ? Style.colored : Style.none,
    times
  }
  const { deadline, now, place, sides, stamps } = view
  const isLosing = deadline <= now
  return [
    sheet.style.strong(Text.plain(place)),
    ...(stamps.length === 0
      ? ["  claimed by nobody yet: the first sync does that"]
      : stamps.map((stamp) => `  ${Text.plain(Origin.describe(stamp))}`)),
    ...(holder === undefined ? [] : Text.paragraph("  in use: ", Text.plain(holder), sheet.width)),
    ...sides.flatMap((side) => sideLines(side, view, sheet)),
    ...listedLines(view, sheet),
    "",
    ...Text.paragraph("", SyncText.deadline(deadline, now, times), sheet.width)
      .map(isLosing ? sheet.style.bad : (line) => line),
    ...Text.paragraph("", RECORDED, sheet.width),
    `Times in ${sheet.times.zone}.`
  ].map((line) => `${line}\n`).join("")
}
