/** Writes the ages of the breaks. */
import type * as Report from "@tallystick/reconcile/Report"
import * as OtherDays from "../../text/OtherDays.ts"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Ages from "../content/Ages.ts"

const numbers = ({ entries, outcomes }: Report.Age): string =>
  outcomes > 0
    ? Text.count(outcomes)
    : `${Text.counted(entries, "entry", "entries")} in breaks ${OtherDays.SEVERAL}`

export const ageing = ({ ageing, asOf }: Report.Report, sheet: Sheet): Lines => {
  const parts = ageing.filter(Ages.isAny).map((age) => `${Ages.label(age)}: ${numbers(age)}`)
  if (asOf === null || parts.length === 0) return []
  return section(sheet, `AGEING OF BREAKS at ${sheet.times.bound(asOf)} (${sheet.times.zone})`, [
    ...Text.paragraph("  ", parts.join(",  "), sheet.width)
  ])
}
