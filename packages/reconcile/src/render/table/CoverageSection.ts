/** What was read, and how completely. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Report from "../../Report.ts"
import * as Text from "../Text.ts"
import { scopeOf } from "./Scope.ts"
import { type Lines, section, type Sheet } from "./Sheet.ts"

/** Coverages that say the same of the same interval, about one query or many. */
interface Group {
  readonly coverage: Coverage.Coverage
  count: number
}

const groups = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Group> => {
  const known = new Map<string, Group>()
  for (const one of coverage) {
    const key = JSON.stringify([one.operation, one.from, one.to, one.state, one.gap])
    const group = known.get(key)
    if (group === undefined) known.set(key, { coverage: one, count: 1 })
    else group.count++
  }
  return Array.from(known.values()).toSorted((a, b) =>
    (a.coverage.operation < b.coverage.operation ? -1 : a.coverage.operation > b.coverage.operation ? 1 : 0) ||
    a.coverage.from - b.coverage.from || a.coverage.to - b.coverage.to
  )
}

const states = {
  complete: "complete",
  open: "too young to be settled",
  incomplete: "not proven complete"
} as const

export const coverage = (report: Report.Report, sheet: Sheet): Lines => {
  const { style, times, width } = sheet
  const found = groups(report.coverage)
  const hidden = found.length - 2 * sheet.limit
  const lines = found.slice(0, 2 * sheet.limit).flatMap(({ count, coverage }) => {
    const { from, gap, operation, state, to } = coverage
    const what = count === 1 ? scopeOf(coverage) : `${operation} of ${Text.count(count)} queries`
    const text = `${what}: ${states[state]} from ${times.bound(from)} to ${times.bound(to)}`
    return Text.paragraph("  ", Text.plain(gap === undefined ? text : `${text}: ${gap.detail}`), width)
      .map(state === "incomplete" ? style.doubtful : (line) => line)
  })
  return section(sheet, "COVERAGE", [
    ...lines,
    ...(hidden > 0 ? [style.faint(`  … and ${Text.counted(hidden, "more interval")}; --format json has all`)] : [])
  ])
}
