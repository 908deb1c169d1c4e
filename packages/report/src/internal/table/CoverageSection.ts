/** Shows the coverage: which intervals were read, and whether completely. */
import type * as Report from "@tallystick/reconcile/Report"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Readings from "../content/Readings.ts"

export const coverage = (report: Report.Report, sheet: Sheet): Lines => {
  const { style, times, width } = sheet
  const found = Readings.of(report.coverage)
  const hidden = found.length - 2 * sheet.limit
  const lines = found.slice(0, 2 * sheet.limit).flatMap((reading) =>
    Text.paragraph("  ", Text.plain(Readings.sentence(reading, times)), width)
      .map(reading.coverage.state === "incomplete" ? style.doubtful : (line) => line)
  )
  return section(sheet, "COVERAGE", [
    ...lines,
    ...(hidden > 0 ? [style.faint(`  … and ${Text.counted(hidden, "more interval")}; --format json has all`)] : [])
  ])
}
