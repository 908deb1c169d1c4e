/**
 * Writes the control totals of an asset as rows: the entries of the range that came in on either side, and their outcomes; and in
 * the last row the entries of other days, which count in no other row.
 */
import type * as Report from "@tallystick/reconcile/Report"
import * as OtherDays from "../../text/OtherDays.ts"

export interface TotalRow {
  readonly label: string
  readonly deposits: Report.Total["deposits"]["in"]
  readonly transfers: Report.Total["deposits"]["in"]
  /** Deposits minus transfers. */
  readonly difference: string
}

const lines = [
  ["in", "in", "total"],
  ["matched", "matched", "residual"],
  ["open", "open", "open"],
  ["pending", "pending", "pending"],
  ["not decidable", "undetermined", "undetermined"],
  ["set aside", "setAside", "setAside"]
] as const

const ofOtherDays = ({ ofOtherDays }: Report.Total): ReadonlyArray<TotalRow> => {
  if (ofOtherDays === undefined) return []
  const { deposits, net, transfers } = ofOtherDays
  return [{ label: OtherDays.SEVERAL, deposits: deposits.in, transfers: transfers.in, difference: net.total }]
}

/** Returns the rows that have entries. */
export const rowsOf = (total: Report.Total): ReadonlyArray<TotalRow> => {
  const { deposits, net, transfers } = total
  const ofRange = lines.flatMap(([label, line, difference]) =>
    deposits[line].count === 0 && transfers[line].count === 0
      ? []
      : [{ label, deposits: deposits[line], transfers: transfers[line], difference: net[difference] }]
  )
  return [...ofRange, ...ofOtherDays(total)]
}

const DIFFERENCE = "difference: deposits minus transfers, in the line of matches what fees and tolerance left"

/** Says what the rows mean, a sentence each. */
export const legend = (totals: ReadonlyArray<Report.Total>): ReadonlyArray<string> =>
  totals.every(({ ofOtherDays }) => ofOtherDays === undefined)
    ? [`open: in breaks; ${DIFFERENCE}`]
    : [
      `open: in breaks; ${DIFFERENCE}, and what matched counterparts of other days come to`,
      `${OtherDays.SEVERAL}: outside the range, in one outcome with entries inside; these entries count in no other line`
    ]

/** Names the asset, and the others that the policy calls equal to it. */
export const assetOf = ({ asset, assets }: Report.Total): string =>
  assets.length < 2 ? asset : `${asset} (with ${assets.filter((name) => name !== asset).join(", ")})`
