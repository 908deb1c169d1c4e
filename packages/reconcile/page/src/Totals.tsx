/** Control totals of each asset: what came in on either side and what became of it. */
import type { Facts } from "../../src/render/html/Facts.ts"
import * as Prices from "../../src/render/Prices.ts"
import * as Text from "../../src/render/Text.ts"
import type * as Report from "../../src/Report.ts"
import { AmountText, widest } from "./AmountText.tsx"

const lines = [
  ["In", "in", "total"],
  ["Matched", "matched", "residual"],
  ["Open", "open", "open"],
  ["Pending", "pending", "pending"],
  ["Undetermined", "undetermined", "undetermined"],
  ["Set aside", "setAside", "setAside"]
] as const

const priceOf = ({ asset, assets }: Report.Total, prices: Facts["prices"]): string | undefined =>
  prices?.find(([name]) => name === asset || assets.includes(name))?.[1]

const Asset = ({ prices, total }: { readonly total: Report.Total; readonly prices: Facts["prices"] }) => {
  const { asset, assets, deposits, net, transfers } = total
  const others = assets.filter((name) => name !== asset)
  const price = priceOf(total, prices)
  const align = {
    deposits: widest(lines.map(([, line]) => deposits[line].sum)),
    transfers: widest(lines.map(([, line]) => transfers[line].sum)),
    net: widest(lines.map(([, , line]) => net[line]))
  }
  return (
    <div class="card scrolls" role="group" aria-label={`Totals of ${Text.plain(asset)}`} tabIndex={0}>
      <table class="totals" data-asset={asset}>
        <caption>
          <strong>{Text.plain(asset)}</strong>
          {others.length === 0 ? "" : ` with ${Text.plain(others.join(", "))}`}
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col" class="counts">Deposits</th>
            <th scope="col">sum</th>
            <th scope="col" class="counts">Transfers</th>
            <th scope="col">sum</th>
            <th scope="col">Net</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([label, line, difference]) => (
            <tr key={line} class={deposits[line].count + transfers[line].count === 0 ? `${line} none` : line}>
              <th scope="row">{label}</th>
              <td class="number counts">{Text.count(deposits[line].count)}</td>
              <td class="number">
                <AmountText amount={deposits[line].sum} align={align.deposits} />
              </td>
              <td class="number counts">{Text.count(transfers[line].count)}</td>
              <td class="number">
                <AmountText amount={transfers[line].sum} align={align.transfers} />
              </td>
              <td class="number">
                <AmountText amount={net[difference]} align={align.net} />
              </td>
            </tr>
          ))}
        </tbody>
        {price === undefined ? null : (
          <tfoot>
            <tr>
              <th scope="row">Open, worth</th>
              <td class="number" colSpan={2}>
                <AmountText amount={Prices.worth(deposits.open.sum, price)} />
              </td>
              <td class="number" colSpan={2}>
                <AmountText amount={Prices.worth(transfers.open.sum, price)} />
              </td>
              <td class="number">at {price}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

export const Totals = ({ facts }: { readonly facts: Facts }) => (
  <section aria-labelledby="totals">
    <h2 id="totals">Control totals</h2>
    {facts.summary.totals.length === 0 ? <p class="note">No entries were read.</p> : (
      <div class="cards">
        {facts.summary.totals.map((total) => <Asset key={total.asset} total={total} prices={facts.prices} />)}
      </div>
    )}
    <p class="note">
      Open: in discrepancies. Net: deposits minus transfers, in the line of matches what fees and tolerance left.
      Amounts are exact; the gaps between digits are not copied.
    </p>
  </section>
)
