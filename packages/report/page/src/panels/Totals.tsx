/**
 * Control totals: of each asset what came in on either side, and what became of it; and apart from it what is of other days. Lines in
 * which nothing is are left out.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Report from "@tallystick/reconcile/Report"
import * as TotalRows from "../../../src/internal/content/TotalRows.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import * as Text from "../../../src/text/Text.ts"
import { AmountText, type Fraction, widest } from "../components/AmountText.tsx"
import { SideCells } from "./SideCells.tsx"

const priceOf = ({ asset, assets }: Report.Total, prices: Facts["prices"]): string | undefined =>
  prices?.find(([name]) => name === asset || assets.includes(name))?.[1]

/** Room behind the points of a column, for all assets. */
interface Align {
  readonly deposits: Fraction
  readonly transfers: Fraction
  readonly net: Fraction
}

interface Props {
  readonly total: Report.Total
  readonly prices: Facts["prices"]
  readonly align: Align
}

const Asset = ({ align, prices, total }: Props) => {
  const rows = TotalRows.rowsOf(total)
  const price = priceOf(total, prices)
  return (
    <tbody data-asset={total.asset}>
      {rows.map(({ deposits, difference, label, transfers }, index) => (
        <tr key={label} class={label.replaceAll(" ", "-")}>
          {index > 0 ? null : (
            <th scope="rowgroup" class="asset" rowSpan={rows.length + (price === undefined ? 0 : 1)}>
              {Text.plain(TotalRows.assetOf(total))}
            </th>
          )}
          <th scope="row">{label}</th>
          <SideCells deposits={deposits} transfers={transfers} align={align} />
          <td class="number" data-label="Net">
            <AmountText amount={difference} align={align.net} />
          </td>
        </tr>
      ))}
      {price === undefined ? null : (
        <tr class="worth">
          <th scope="row">
            open, worth at <AmountText amount={price} />
          </th>
          <td class="number" colSpan={2} data-label="Deposits">
            <AmountText amount={Amount.times(total.deposits.open.sum, price)} />
          </td>
          <td class="number" colSpan={2} data-label="Transfers">
            <AmountText amount={Amount.times(total.transfers.open.sum, price)} />
          </td>
          <td />
        </tr>
      )}
    </tbody>
  )
}

const Table = (
  { prices, totals }: { readonly totals: ReadonlyArray<Report.Total>; readonly prices: Facts["prices"] }
) => {
  const rows = totals.flatMap(TotalRows.rowsOf)
  const align: Align = {
    deposits: widest(rows.map(({ deposits }) => deposits.sum)),
    transfers: widest(rows.map(({ transfers }) => transfers.sum)),
    net: widest(rows.map(({ difference }) => difference))
  }
  return (
    <div class="card scrolls" role="group" aria-labelledby="totals" tabIndex={0}>
      <table class="totals stacks">
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <td />
            <th scope="col" class="counts">Deposits</th>
            <th scope="col">sum</th>
            <th scope="col" class="counts">Transfers</th>
            <th scope="col">sum</th>
            <th scope="col">Net</th>
          </tr>
        </thead>
        {totals.map((total) => <Asset key={total.asset} total={total} prices={prices} align={align} />)}
      </table>
    </div>
  )
}

export const Totals = ({ facts }: { readonly facts: Facts }) => (
  <section aria-labelledby="totals">
    <h2 id="totals">Control totals</h2>
    {facts.summary.totals.length === 0
      ? <p class="note">No entries were read.</p>
      : <Table totals={facts.summary.totals} prices={facts.prices} />}
    <p class="note">
      Open: in breaks. Net: deposits minus transfers, in the line of matches what fees and tolerance left. A line that
      is not shown is zero. Amounts are exact; the gaps between digits are not copied.
      {facts.summary.totals.every(({ ofOtherDays }) => ofOtherDays === undefined)
        ? ""
        : " Of other days: outside the range, in one outcome with entries inside. These entries count in no other line, so " +
          "that the net of matches also holds what counterparts of other days come to."}
    </p>
  </section>
)
