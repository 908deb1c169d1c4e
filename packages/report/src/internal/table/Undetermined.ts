/** Shows the undetermined outcomes, gap by gap. If the gap is closed, all outcomes under it are decided. */
import type * as Report from "@tallystick/reconcile/Report"
import { entryLines } from "../../text/EntryLines.ts"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Gaps from "../content/Gaps.ts"

/** The most entries that are shown of one gap. */
const ENTRIES = 3

const ofGap = (gap: Gaps.Gap, sheet: Sheet): Lines => {
  const { range, style, times, width } = sheet
  const entries = gap.outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers])
  return [
    ...Text.paragraph("  ", Text.plain(Gaps.sentence(gap, times, range)), width).map(style.doubtful),
    ...entries.slice(0, ENTRIES).flatMap((entry) => entryLines(entry, "    ", sheet)),
    ...(entries.length > ENTRIES
      ? [style.faint(`    … and ${Text.count(entries.length - ENTRIES)} more; --format json has all`)]
      : [])
  ]
}

export const undetermined = (report: Report.Report, sheet: Sheet): Lines => {
  const found = Gaps.of(report.outcomes)
  const hidden = found.length - sheet.limit
  return section(sheet, "NOT DECIDABLE", [
    ...found.slice(0, sheet.limit).flatMap((gap) => ofGap(gap, sheet)),
    ...(hidden > 0 ? [sheet.style.faint(`  … and ${Text.counted(hidden, "more gap")}; --format json has all`)] : [])
  ])
}
