/** Writes the ages of the discrepancies. */
import type * as Report from "@tallystick/reconcile/Report"
import { type Lines, section, type Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"
import * as Ages from "../content/Ages.ts"

export const ageing = ({ ageing, asOf }: Report.Report, sheet: Sheet): Lines => {
  const parts = ageing.filter(({ outcomes }) => outcomes > 0).map((age) =>
    `${Ages.label(age)}: ${Text.count(age.outcomes)}`
  )
  if (asOf === null || parts.length === 0) return []
  return section(sheet, `AGE OF DISCREPANCIES at ${sheet.times.bound(asOf)}`, [
    ...Text.paragraph("  ", parts.join(",  "), sheet.width)
  ])
}
