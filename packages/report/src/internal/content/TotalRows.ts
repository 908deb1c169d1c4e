/** Writes the control totals of an asset as rows: the entries that came in on either side, and their outcomes. */
import type * as Report from "@tallystick/reconcile/Report"

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
  ["undetermined", "undetermined", "undetermined"],
  ["set aside", "setAside", "setAside"]
] as const

/** Returns the rows that have entries. */
export const rowsOf = ({ deposits, net, transfers }: Report.Total): ReadonlyArray<TotalRow> =>
  lines.flatMap(([label, line, difference]) =>
    deposits[line].count === 0 && transfers[line].count === 0
      ? []
      : [{ label, deposits: deposits[line], transfers: transfers[line], difference: net[difference] }]
  )

/** Names the asset, and the others that the policy calls equal to it. */
export const assetOf = ({ asset, assets }: Report.Total): string =>
  assets.length < 2 ? asset : `${asset} (with ${assets.filter((name) => name !== asset).join(", ")})`
