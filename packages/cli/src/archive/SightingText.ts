/** One outcome for a person: its entries, why it is one, what else was considered, and the runs that came to it. */
import * as Run from "@tallystick/archive/Run"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import { entryLines } from "@tallystick/report/text/EntryLines"
import * as FinalText from "@tallystick/report/text/FinalText"
import type { Sheet } from "@tallystick/report/text/Sheet"
import * as ShortId from "@tallystick/report/text/ShortId"
import * as Style from "@tallystick/report/text/Style"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Titles from "@tallystick/report/Titles"
import type * as DateTime from "effect/DateTime"

export interface Options {
  /** Cells of a line; at least 60. */
  readonly width: number
  readonly color: boolean
  readonly zone: DateTime.TimeZone | undefined
}

const MINUTE = 60_000

type Lines = ReadonlyArray<string>

/** Earlier and conflicting statements of the source about an entry. */
const past = ({ past }: Entry.Entry, { style, times, width }: Sheet): Lines => {
  if (past === undefined) return []
  const told = [
    ...past.statuses.map(({ seenAt, status }) => `was ${status} when it was seen at ${times.instant(seenAt)}`),
    ...(past.vanishedAt === undefined ? [] : [`was no longer shown at ${times.instant(past.vanishedAt)}`]),
    ...(past.conflicts ?? []).map((content) => `was also told as ${content}`)
  ]
  return told.flatMap((text) => Text.paragraph("      ", Text.plain(text), width)).map(style.faint)
}

/** The id of an entry, where its line shortens it. */
const wholeId = ({ id }: Entry.Entry, { style, width }: Sheet): Lines =>
  ShortId.of(id) === id ? [] : Text.paragraph("      ", Text.plain(id), width).map(style.faint)

const facts = (outcome: Outcome.Outcome): Lines => {
  const { decidedBy, lagMs, matchedCount, openCount, openSum, residual, rule } = outcome
  return [
    ...(lagMs === null ? [] : [`lag ${Times.duration(lagMs)}`]),
    ...(residual === null ? [] : [`residual ${residual}`]),
    ...(decidedBy === undefined ? [] : [`decided by ${decidedBy}`]),
    ...(rule === undefined ? [] : [`rule: ${rule}`]),
    ...(matchedCount === undefined ? [] : [`${Text.counted(matchedCount, "pair")} certain`]),
    ...(openCount === undefined
      ? []
      : [`${Text.count(openCount)} certainly open${openSum === undefined ? "" : `, ${openSum}`}`])
  ]
}

const outcomeLines = (outcome: Outcome.Outcome, sheet: Sheet): Lines => {
  const { style, times, width } = sheet
  const { candidates, code, deposits, explanation, final, missing, transfers } = outcome
  const state = FinalText.of(outcome, (ms) => times.bound(Math.floor(ms / MINUTE) * MINUTE))
  return [
    style.strong(`${Titles.counted(code, 1)} [${code}]${final ? "" : `, ${state}`}`),
    ...[...deposits, ...transfers].flatMap((
      entry
    ) => entryLines(entry, "  - ", sheet).concat(wholeId(entry, sheet), past(entry, sheet))),
    ...Text.paragraph("  ", Text.plain(explanation), width),
    ...facts(outcome).flatMap((fact) => Text.paragraph("  ", Text.plain(fact), width)),
    ...(missing?.gap === undefined ? [] : Text.paragraph("  not read: ", Text.plain(missing.gap.detail), width)),
    ...candidates.flatMap(({ id, reason, side }) =>
      Text.paragraph("  ", Text.plain(`not ${side} ${id}: ${reason}`), width).map(style.faint)
    )
  ]
}

const about = ({ range, recordedAt }: Run.Run, { times }: Sheet): string =>
  `recorded ${times.bound(recordedAt)}, ${
    range === null ? "about everything" : `about ${times.bound(range.from)} to ${times.bound(range.to)}`
  }`

const runLines = (run: Run.Listed, sheet: Sheet): Lines =>
  Text.paragraph(
    `    ${Text.plain(run.id)}  `,
    Run.isDamaged(run) ? "damaged: it may have seen something else" : about(run, sheet),
    sheet.width
  )

/** One text, ending in a line break. */
export const render = ({ id, versions }: Run.Sighting, { color, width, zone }: Options): string => {
  const sheet: Sheet = {
    width: Math.max(60, width),
    style: color ? Style.colored : Style.none,
    times: Times.make(zone),
    limit: Number.POSITIVE_INFINITY
  }
  const lines = versions.flatMap(({ outcome, runs }, index) => [
    ...(index === 0 ? [] : ["", "Later runs, over other data or settings, said of it:"]),
    ...outcomeLines(outcome, sheet),
    `  seen in ${Text.counted(runs.length, "run")}:`,
    ...runs.flatMap((run) => runLines(run, sheet))
  ])
  return `${[`outcome ${id}, times in ${sheet.times.zone}`, ...lines].join("\n")}\n`
}
