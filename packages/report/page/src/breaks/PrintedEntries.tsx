/** The entries of an outcome on paper: a row each, with every fact and every id whole. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import { useContext } from "preact/hooks"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import { Asked } from "../Asked.ts"
import { Clock } from "../Clock.ts"
import { AmountText } from "../components/AmountText.tsx"
import { past, route } from "./Entries.tsx"

const Row = ({ entry }: { readonly entry: Entry.Entry }) => {
  const times = useContext(Clock)
  const isInRange = Report.isInRange(useContext(Asked))
  const { account, address, amount, asset, at, id, memo, network, reference, side, status } = entry
  const others = [
    ["reference", reference],
    ["network", network],
    ["address", address],
    ["memo", memo],
    ["route", route(entry)],
    ["before", past(entry, times.instant)]
  ] as const
  return (
    <tr>
      <th scope="row">{side}</th>
      <td class="number">
        <AmountText amount={amount} /> {Text.plain(asset)}
      </td>
      <td class="at">{times.instant(at)}</td>
      <td>
        <span class="account">{Text.plain(account ?? "unknown")}</span>
        {status === "settled" ? "" : `, ${status}`}
        {isInRange(entry) ? "" : `, ${OtherDays.ONE}`}
      </td>
      <td class="ids">
        <code>{Text.plain(id)}</code>
        {others.map(([label, text]) =>
          text === undefined || text === "" ? null : (
            <span key={label}>
              {" "}
              {label} <bdi>{Text.plain(text)}</bdi>
            </span>
          )
        )}
      </td>
    </tr>
  )
}

export const PrintedEntries = ({ deposits, transfers }: Pick<Outcome.Outcome, "deposits" | "transfers">) => (
  <table class="printed">
    <tbody>
      {[...deposits, ...transfers].map((entry) => <Row key={`${entry.side} ${entry.id}`} entry={entry} />)}
    </tbody>
  </table>
)
