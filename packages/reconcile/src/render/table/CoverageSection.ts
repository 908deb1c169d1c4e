/** What was read, and how completely. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Report from "../../Report.ts"
import * as Text from "../Text.ts"
import { scopeOf } from "./Scope.ts"
import { type Lines, section, type Sheet } from "./Sheet.ts"

/** Coverages that say the same of nearly the same interval, about one query or many. */
interface Group {
  readonly coverage: Coverage.Coverage
  count: number
  from: number
  to: number
}

/** Queries of one run are read one after the other, so their intervals end at slightly different moments. */
const NEARLY = 60_000

const near = (a: number, b: number): boolean => Math.abs(a - b) <= NEARLY

/** Of complete intervals what they have in common, of others all that any of them touches. */
const join = (group: Group, { from, state, to }: Coverage.Coverage): void => {
  const common = state === "complete"
  group.count++
  group.from = common ? Math.max(group.from, from) : Math.min(group.from, from)
  group.to = common ? Math.min(group.to, to) : Math.max(group.to, to)
}

const groups = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Group> => {
  const known = new Map<string, Array<Group>>()
  for (const one of coverage) {
    const key = JSON.stringify([one.operation, one.state, one.gap])
    const alike = known.get(key) ?? []
    known.set(key, alike)
    const group = alike.find(({ coverage }) => near(coverage.from, one.from) && near(coverage.to, one.to))
    if (group === undefined) alike.push({ coverage: one, count: 1, from: one.from, to: one.to })
    else join(group, one)
  }
  return Array.from(known.values()).flat().toSorted((a, b) =>
    (a.coverage.operation < b.coverage.operation ? -1 : a.coverage.operation > b.coverage.operation ? 1 : 0) ||
    a.from - b.from || a.to - b.to
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
  const lines = found.slice(0, 2 * sheet.limit).flatMap(({ count, coverage, from, to }) => {
    const { gap, operation, state } = coverage
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
