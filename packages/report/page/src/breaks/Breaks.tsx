/** The outcomes: what needs attention first, the rest a choice away. */
import type * as Report from "@tallystick/reconcile/Report"
import { useMemo, useState } from "preact/hooks"
import * as LeftOut from "../../../src/internal/content/LeftOut.ts"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import type { Book } from "../Book.ts"
import { ageText } from "../charts/AgeingChart.tsx"
import { CountText } from "../components/CountText.tsx"
import type { Medium } from "../Look.ts"
import { everything, type Filter, filtering } from "./Filtering.ts"
import { Filters } from "./Filters.tsx"
import { Grid, MOST } from "./Grid.tsx"
import { PrintList } from "./PrintList.tsx"
import { given, type Key, type Order, sorted } from "./Sorting.ts"

/** Largest and newest first, words from A on. A third click goes back to the order of the file. */
const next = (order: Order, key: Key): Order => {
  const down = key === "difference" || key === "worth" || key === "at"
  if (order.key !== key) return { key, descending: down }
  return order.descending === down ? { key, descending: !down } : given
}

const sorts: ReadonlyArray<readonly [Key, string]> = [
  ["place", "what matters most"],
  ["difference", "difference"],
  ["worth", "worth"],
  ["at", "time"],
  ["asset", "asset"],
  ["code", "code"],
  ["account", "account"]
]

const describe = ({ account, age, asset, code, search }: Filter, { ageing }: Report.Summary): string => {
  const bounds = ageing[age]
  const parts = [code, asset, account, bounds === undefined ? "" : ageText(bounds), search]
  return parts.filter((part) => part !== "").map((part) => Text.plain(part)).join(", ")
}

export const Breaks = ({ book, medium }: { readonly book: Book; readonly medium: Medium }) => {
  const [filter, setFilter] = useState<Filter>(everything)
  const [order, setOrder] = useState<Order>(given)
  const find = useMemo(() => filtering(book), [book])
  const found = useMemo(() => find(filter), [find, filter])
  const lines = useMemo(() => sorted(found, order), [found, order])
  const others = useMemo(() => lines.filter(({ isOfRange }) => !isOfRange).length, [lines])
  const { carries, prices, summary } = book.facts
  const filters = describe(filter, summary)
  return (
    <section aria-labelledby="breaks" class="breaks">
      <h2 id="breaks" tabIndex={-1}>
        {filter.group === "attention" ? "What needs attention" : "Outcomes"}
      </h2>
      {LeftOut.facts(carries).map(({ label, text }) => (
        <p key={label} class="left-out">
          <strong>{label}:</strong> <CountText text={text} />
        </p>
      ))}
      <Filters book={book} filter={filter} onFilter={setFilter} narrow={medium.narrow} />
      <p class="status" role="status">
        <CountText text={`${Text.count(lines.length)} of ${Text.counted(book.lines.length, "outcome")} shown`} />
        <CountText text={others === 0 ? "" : `, ${Text.count(others)} ${OtherDays.SEVERAL}`} />
        {filters === "" ? "" : ` (${filters})`}
        {order.key !== "place"
          ? `, by ${order.key === "at" ? "time" : order.key}${order.descending ? ", descending" : ""}`
          : prices === null
          ? ", by asset and difference"
          : ", most money first"}
        <CountText text={lines.length > MOST ? `; the list ends after ${Text.count(MOST)}: narrow the filter` : ""} />
      </p>
      {medium.cards
        ? (
          <label class="sort">
            <span>Sort by</span>
            <select
              value={order.key}
              onChange={({ currentTarget }) => {
                const key = sorts.find(([key]) => key === currentTarget.value)?.[0] ?? "place"
                setOrder(key === "place" ? given : next(given, key))
              }}
            >
              {sorts.filter(([key]) => key !== "worth" || prices !== null).map(([key, label]) => (
                <option key={key} value={key}>{label}</option>
              ))}
            </select>
          </label>
        )
        : null}
      {medium.printing
        ? <PrintList book={book} lines={lines} />
        : lines.length === 0
        ? (
          <p class="empty">
            {summary.clean && filter === everything ? "Nothing is in doubt." : "No outcome is like that."}
          </p>
        )
        : (
          <Grid
            book={book}
            lines={lines}
            order={order}
            onOrder={(key) => setOrder(next(order, key))}
            cards={medium.cards}
          />
        )}
      <p class="note">
        Click a row, or press Enter on it, to open it; arrow keys move, Escape closes. Rows that lack the same are
        folded into one. The service's own records stand with everything but matches; the JSON report holds those too.
      </p>
    </section>
  )
}
