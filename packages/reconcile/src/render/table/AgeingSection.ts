/** How old the discrepancies are. */
import type * as Report from "../../Report.ts"
import * as Text from "../Text.ts"
import { duration } from "../Times.ts"
import { type Lines, section, type Sheet } from "./Sheet.ts"

const label = ({ from, to }: Report.Age): string => {
  if (to === null) return `over ${duration(from)}`
  return from === 0 ? `under ${duration(to)}` : `${duration(from)} to ${duration(to)}`
}

export const ageing = ({ ageing, asOf }: Report.Report, sheet: Sheet): Lines => {
  const parts = ageing.filter(({ outcomes }) => outcomes > 0).map((age) => `${label(age)}: ${Text.count(age.outcomes)}`)
  if (asOf === null || parts.length === 0) return []
  return section(sheet, `AGE OF DISCREPANCIES at ${sheet.times.bound(asOf)}`, [
    ...Text.paragraph("  ", parts.join(",  "), sheet.width)
  ])
}
