/** The roll-forward of the books in one line a state: what was brought forward, what came and went, and what is carried forward. */
import type * as Report from "@tallystick/reconcile/Report"
import * as BookRows from "../../../src/internal/content/BookRows.ts"
import * as Text from "../../../src/text/Text.ts"
import { CountText } from "../components/CountText.tsx"

const signs: Readonly<Record<typeof BookRows.lines[number][0], string>> = {
  broughtForward: "",
  new: "+",
  reopened: "+",
  restated: "+",
  moved: "+",
  matched: "\u2212",
  decided: "\u2212",
  setOut: "\u2212",
  carriedForward: "="
}

const titles: Readonly<Record<Report.Books["rollForward"][number]["state"], string>> = {
  open: "Open entries",
  pending: "Pending entries",
  undetermined: "Undetermined entries"
}

/** Entries of all assets and of both sides. */
const countOf = (rows: Report.Books["rollForward"], name: typeof BookRows.lines[number][0]): number =>
  rows.reduce((sum, row) => sum + row[name].count, 0)

export const Bridge = ({ books }: { readonly books: Report.Books }) => {
  const states = Array.from(Map.groupBy(books.rollForward, ({ state }) => state))
  if (states.length === 0) return null
  const lines = BookRows.lines.filter(([name]) => BookRows.isEnd(name) || countOf(books.rollForward, name) !== 0)
  return (
    <div
      class="bridge"
      role="table"
      aria-label="Roll-forward of the books"
      style={{ "--columns": lines.length, "--rows": lines.length + 1 }}
    >
      <div role="row" class="titles">
        <span role="columnheader">Roll-forward</span>
        {lines.map(([name, label]) => (
          <span key={name} role="columnheader">
            {signs[name] === "" ? null : <span class="operator" aria-hidden="true">{signs[name]}</span>}
            {label.replace(/^less /, "")}
          </span>
        ))}
      </div>
      {states.map(([state, rows]) => (
        <div key={state} role="row">
          <span role="rowheader">{titles[state]}</span>
          {lines.map(([name]) => (
            <span key={name} role="cell" class={BookRows.isEnd(name) ? "end" : ""}>
              <CountText text={Text.count(countOf(rows, name))} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
