/** What could not be decided, gap by gap: whoever closes the gap settles all that stands under it. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../Outcome.ts"
import type * as Report from "../../Report.ts"
import * as Text from "../Text.ts"
import { entryLines } from "./EntryLines.ts"
import { scopeOf } from "./Scope.ts"
import { type Lines, section, type Sheet } from "./Sheet.ts"

/** The most entries that are shown of one gap. */
const ENTRIES = 3

interface Group {
  readonly missing: Coverage.Coverage | undefined
  from: number
  to: number
  readonly outcomes: Array<Outcome.Outcome>
}

const groups = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Group> => {
  const known = new Map<string, Group>()
  for (const outcome of outcomes) {
    if (outcome.outcome !== "undetermined") continue
    const { missing } = outcome
    const key = JSON.stringify([missing?.operation, missing?.query, missing?.gap])
    const group = known.get(key)
    if (group === undefined) {
      known.set(key, { missing, from: missing?.from ?? 0, to: missing?.to ?? 0, outcomes: [outcome] })
      continue
    }
    group.from = Math.min(group.from, missing?.from ?? group.from)
    group.to = Math.max(group.to, missing?.to ?? group.to)
    group.outcomes.push(outcome)
  }
  return Array.from(known.values())
}

const ofGroup = ({ from, missing, outcomes, to }: Group, sheet: Sheet): Lines => {
  const { style, times, width } = sheet
  const entries = outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers])
  const gap = missing === undefined
    ? "an unknown part was not read"
    : `${scopeOf(missing)} between ${times.bound(from)} and ${times.bound(to)}: ${missing.gap?.detail ?? "not read"}`
  return [
    ...Text.paragraph("  ", Text.plain(`${Text.counted(entries.length, "entry", "entries")} waiting for ${gap}`), width)
      .map(style.doubtful),
    ...entries.slice(0, ENTRIES).flatMap((entry) => entryLines(entry, "    ", sheet)),
    ...(entries.length > ENTRIES
      ? [style.faint(`    … and ${Text.count(entries.length - ENTRIES)} more; --format json has all`)]
      : [])
  ]
}

export const undetermined = (report: Report.Report, sheet: Sheet): Lines => {
  const found = groups(report.outcomes)
  const hidden = found.length - sheet.limit
  return section(sheet, "UNDETERMINED", [
    ...found.slice(0, sheet.limit).flatMap((group) => ofGroup(group, sheet)),
    ...(hidden > 0 ? [sheet.style.faint(`  … and ${Text.counted(hidden, "more gap")}; --format json has all`)] : [])
  ])
}
