/** The breaks that wait, by age: how many, and what they are worth as far as prices are known. What is pending is told apart, and is no break. */
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import { useAsked } from "../asking/useAsked.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { WorthText } from "../items/WorthText.tsx"

const span = (from: number, before: number | undefined): string =>
  before === undefined
    ? `${Times.duration(from)} and more`
    : from === 0
    ? `up to ${Times.duration(before)}`
    : `${Times.duration(from)} to ${Times.duration(before)}`

export const Ageing = () => {
  const { marks, times } = useDesk()
  const version = `${marks?.ledger} ${marks?.rebuilt}`
  const breaks = useAsked("breaks", version, (client) => client.items.itemSummary({ query: { state: ["open"] } }))
  const others = useAsked(
    "others",
    version,
    (client) => client.items.itemSummary({ query: { state: ["pending", "undetermined"] } })
  )
  const countOf = (state: "pending" | "undetermined"): number =>
    others.value?.states.find((one) => one.state === state)?.items ?? 0
  return (
    <section class="card ageing" aria-label="Breaks by age">
      <Shown asked={breaks} what="The breaks">
        {({ ages, items, prices, withoutEntries }) => (
          <>
            <table>
              <caption>
                <a href="#/items?state=open">{Text.counted(items, "break")}</a> {items === 1 ? "waits" : "wait"}
              </caption>
              <thead>
                <tr>
                  <th scope="col">Age</th>
                  <th scope="col" class="number">Items</th>
                  <th scope="col" class="number">
                    Worth{prices?.currency === undefined ? "" : ` in ${Text.plain(prices.currency)}`}
                  </th>
                  <th scope="col" class="number">Without a price</th>
                </tr>
              </thead>
              <tbody>
                {ages.map(({ before, from, items, unpriced, worth, worthBound }) => (
                  <tr key={from}>
                    <th scope="row">{span(from, before)}</th>
                    <td class="number">{Text.count(items)}</td>
                    <td class="number">
                      {items === unpriced ? "–" : <WorthText worth={worth} bound={worthBound} />}
                    </td>
                    <td class="number">{Text.count(unpriced)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p class="note">
              {prices === null
                ? "No execution was made with prices, so that nothing is known of their worth."
                : `Worth is at the prices of execution ${prices.execution}, ${times.bound(prices.at)}.`}
              {withoutEntries === 0
                ? ""
                : ` ${Text.counted(withoutEntries, "thing")} that the books do not know: see Items.`}
            </p>
          </>
        )}
      </Shown>
      {others.value === undefined ? null : (
        <p class="note">
          Besides, {Text.counted(countOf("pending"), "item is", "items are")} pending and{" "}
          {Text.counted(countOf("undetermined"), "item is", "items are")} not decidable from what was read.
        </p>
      )}
    </section>
  )
}
