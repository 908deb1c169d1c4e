/**
 * The roll-forward of the books in one line a state, for entries and for what they are worth: what was brought forward, what came and went, and
 * what is carried forward.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Report from "@tallystick/reconcile/Report"
import * as BookRows from "../../../src/internal/content/BookRows.ts"
import * as FigureText from "../../../src/internal/content/FigureText.ts"
import * as WorthRows from "../../../src/internal/content/WorthRows.ts"
import * as Text from "../../../src/text/Text.ts"
import { CountText } from "../components/CountText.tsx"

type Name = typeof WorthRows.lines[number][0]

const signs: Readonly<Record<Name, string>> = {
  broughtForward: "",
  revaluation: "+",
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
  open: "Open",
  pending: "Pending",
  undetermined: "Not decidable"
}

interface Row {
  readonly title: string
  /** What stands in each column; nothing where the line is zero. */
  readonly cells: Readonly<Partial<Record<Name, string>>>
}

/** Writes a worth with its sign, to two decimals; nothing for zero, which nothing else is told as. */
const worthText = (worth: string): string | undefined => {
  if (worth === "0") return undefined
  const isBelow = worth.startsWith("-")
  const text = FigureText.rounded(worth.replace("-", ""))
  if (text === "0.00") return isBelow ? "> \u22120.01" : "< 0.01"
  return `${isBelow ? "\u2212" : ""}${text}`
}

/** Entries of all assets and of both sides. */
const entries = ({ rollForward }: Report.Books): ReadonlyArray<Row> =>
  Array.from(Map.groupBy(rollForward, ({ state }) => state), ([state, rows]) => ({
    title: `${titles[state]}, entries`,
    cells: Object.fromEntries(
      BookRows.lines.flatMap(([name]) => {
        const count = rows.reduce((sum, row) => sum + row[name].count, 0)
        return count === 0 && !BookRows.isEnd(name) ? [] : [[name, Text.count(count)]]
      })
    )
  }))

/** The worth of both sides together. */
const worths = ({ worth }: Report.Books): ReadonlyArray<Row> =>
  worth === undefined ? [] : Array.from(Map.groupBy(worth.totals, ({ state }) => state), ([state, sides]) => ({
    title: `${titles[state]}, worth${WorthRows.inCurrency(worth)}`,
    cells: Object.fromEntries(
      WorthRows.lines.flatMap(([name]) => {
        const text = worthText(Amount.sum(sides.map((side) => side[name])))
        return text === undefined ? (BookRows.isEnd(name) ? [[name, "0.00"]] : []) : [[name, text]]
      })
    )
  }))

export const Bridge = ({ books }: { readonly books: Report.Books }) => {
  const rows = [...entries(books), ...worths(books)]
  if (rows.length === 0) return null
  const lines = WorthRows.lines.filter(([name]) => rows.some(({ cells }) => cells[name] !== undefined))
  return (
    <div
      class="bridge"
      role="table"
      aria-label="Roll-forward of the books"
      style={{ "--columns": lines.length, "--rows": lines.length + 1 }}
    >
      <div role="row">
        <span role="columnheader">Roll-forward</span>
        {lines.map(([name, label]) => (
          <span key={name} role="columnheader">
            {signs[name] === "" ? null : <span class="operator" aria-hidden="true">{signs[name]}</span>}
            {label.replace(/^less /, "")}
          </span>
        ))}
      </div>
      {rows.map(({ cells, title }) => (
        <div key={title} role="row">
          <span role="rowheader">{Text.plain(title)}</span>
          {lines.map(([name]) => (
            <span key={name} role="cell" class={BookRows.isEnd(name) ? "end" : ""}>
              <CountText text={cells[name] ?? "\u2013"} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
