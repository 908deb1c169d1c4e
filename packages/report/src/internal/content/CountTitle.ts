/**
 * Says how many outcomes of a code a report lists: those that belong to the range, apart from them those of other days, and how many
 * of all these a person accepted.
 */
import type * as Report from "@tallystick/reconcile/Report"
import * as OtherDays from "../../text/OtherDays.ts"
import * as Text from "../../text/Text.ts"
import * as Titles from "../../Titles.ts"

const listed = ({ code, ofOtherDays, outcomes }: Report.Count, number: typeof Text.count): string => {
  const counted = (outcomes: number): string => `${number(outcomes)} ${Titles.title(code, outcomes)}`
  const others = ofOtherDays?.outcomes ?? 0
  if (others === 0) return counted(outcomes)
  return outcomes === 0
    ? `${OtherDays.SEVERAL}: ${counted(others)}`
    : `${counted(outcomes)}, and ${number(others)} ${OtherDays.SEVERAL}`
}

/** Writes `3 deposits without a transfer, and 1 of other days; 2 accepted`; `number` writes the numbers. */
export const of = (count: Report.Count, number = Text.count): string => {
  const accepted = (count.accepted ?? 0) + (count.ofOtherDays?.accepted ?? 0)
  return `${listed(count, number)}${accepted === 0 ? "" : `; ${number(accepted)} accepted`}`
}
