/** The index of a site: what the books come to, the calendar, the ageing, the roll-forward and the periods. */
import * as Text from "../../text/Text.ts"
import * as BookRows from "../content/BookRows.ts"
import * as ForwardLines from "../content/ForwardLines.ts"
import * as AgeingTable from "./AgeingTable.ts"
import * as Calendar from "./Calendar.ts"
import type { Index, Look, Period } from "./Facts.ts"
import * as Frame from "./Frame.ts"
import * as Items from "./Items.ts"
import { html, type Markup, type Part } from "./Markup.ts"
import * as Standing from "./Standing.ts"
import * as Words from "./Words.ts"

const counts = ({ days, open, pending, undetermined, withoutEntries }: Index): string => {
  const records = withoutEntries.filter(({ kind }) => kind === "record").length
  const stretches = withoutEntries.length - records
  const undecided = days.filter((day) => Standing.of(day) === "undecided").length
  const parts = [
    ...(open.total.items === 0 ? [] : [`${Text.counted(open.total.items, "break")} open`]),
    ...(undetermined.total.items === 0 ? [] : [`${Text.counted(undetermined.total.items, "item")} not decidable`]),
    ...(pending === 0 ? [] : [`${Text.counted(pending, "item")} pending`]),
    ...(records === 0 ? [] : [`${Text.counted(records, "record")} that could not be read`]),
    ...(stretches === 0 ? [] : [`${Text.counted(stretches, "stretch", "stretches")} of time not read`]),
    ...(undecided === 0 ? [] : [`${Text.counted(undecided, "day")} not decided`])
  ]
  return parts.length === 0 ? "Nothing waits in the books" : Text.listed(parts)
}

const identity = ({ archive, last, ledger, readAt }: Index, look: Look): Markup =>
  html`<dl class="facts">
${
    last === undefined ? undefined : Frame.fact(
      "Books brought forward",
      html`${Frame.moment(last.madeAt, look)} by ${last.by}, execution ${String(last.execution)}, run ${last.run}`
    )
  }${readAt === undefined ? undefined : Frame.fact("Last reading", Frame.moment(readAt, look))}${
    Frame.fact("Archive", archive)
  }${Frame.fact("Ledger", html`<code>${String(ledger.number)}@${ledger.id}</code>`)}</dl>
`

const LEGEND: ReadonlyArray<readonly [Standing.Standing, string]> = [
  ["agrees", "agrees: all of it was read and judged, and nothing of it waits"],
  ["breaks", "breaks are open"],
  ["undecided", "not decided: something is pending, not decidable, not read, not judged, or to be judged again"]
]

const calendar = ({ days }: Index): Markup =>
  Frame.section(
    "Days",
    html`<ul class="legend">${
      LEGEND.map(([standing, words]) =>
        html`<li><span class="sign ${standing}" aria-hidden="true">${Standing.signs[standing]}</span> ${words}</li>`
      )
    }<li>A day without a colour was judged by no run of the books.</li></ul>
<div class="months">
${Calendar.of(days)}</div>
`
  )

const most = ({ most, open }: Index, look: Look): Part =>
  most.length === 0 ? undefined : Frame.section(
    look.currency === undefined && most.every(({ worth }) => worth === undefined)
      ? "Oldest breaks"
      : "Breaks of most worth",
    html`${Items.table("Breaks", most, "", look)}${
      open.total.items > most.length
        ? html`<p class="note">These are ${Text.count(most.length)} of ${
          Text.counted(open.total.items, "break")
        }; each is on the page of its day.</p>
`
        : undefined
    }`
  )

const forwardColumns = [
  { title: "Asset" },
  { title: "State" },
  { title: "Side" },
  { title: "Line" },
  { title: "Entries", isNumber: true },
  { title: "Amount", isNumber: true },
  { title: "Worth", isNumber: true }
]

const forward = ({ books }: Index): Part =>
  books === undefined || books.rollForward.length === 0 ? undefined : Frame.section(
    "Roll-forward",
    html`${
      Frame.table(
        "Roll-forward",
        forwardColumns,
        ForwardLines.of(books).map(({ asset, count, label, name, side, state, sum, worth }) =>
          html`<tr${BookRows.isEnd(name) ? html` class="total"` : undefined}><td>${asset}</td><td>${
            Words.state(state)
          }</td><td>${side}</td><td>${label}</td><td class="number">${
            Text.count(count)
          }</td><td class="number">${sum}</td><td class="number">${worth ?? ""}</td></tr>
`
        )
      )
    }<p class="note">${BookRows.LEGEND}</p>
`
  )

const periodColumns = [
  { title: "Close", isNumber: true },
  { title: "Period" },
  { title: "Closed" },
  { title: "Carried", isNumber: true },
  { title: "It stands" }
]

const periodRow = ({ by, carried, closedAt, from, isBroken, number, standing, to }: Period, look: Look): Markup =>
  html`<tr><td class="number">${String(number)}</td><td>${Frame.stretch({ from, to }, look)}</td><td>${
    Frame.moment(closedAt, look)
  } by ${by}</td><td class="number">${Text.count(carried)}</td><td>${
    isBroken ? html`<span class="tag bad">${standing}</span>` : standing
  }</td></tr>
`

const periods = ({ periods }: Index, look: Look): Markup =>
  Frame.section(
    "Periods closed",
    periods.length === 0
      ? html`<p class="empty">No period is closed: <code>tallystick close</code> does so.</p>
`
      : Frame.table("Periods closed", periodColumns, periods.map((one) => periodRow(one, look)))
  )

const unknown = ({ withoutEntries }: Index): Part =>
  withoutEntries.length === 0 ? undefined : Frame.section(
    "What the books do not know",
    html`<ul class="card list">${
      withoutEntries.map(({ id, text }) =>
        html`<li><code>${id}</code> ${text}</li>
`
      )
    }</ul>
`
  )

const begun = (index: Index, look: Look): Part =>
  index.last === undefined
    ? html`<p class="empty">The books are not begun: <code>tallystick reconcile --archive --book</code> brings them forward.</p>
`
    : [AgeingTable.section(index, look), calendar(index), most(index, look), unknown(index), forward(index)]

/** Returns the text of the page. */
export const of = (index: Index, look: Look): string =>
  Frame.written({
    title: Frame.booksOf(look),
    root: "",
    body: html`<header>
<h1>${Frame.booksOf(look)}</h1>
<p class="verdict">${index.last === undefined ? "The books are not begun" : counts(index)}.</p>
${identity(index, look)}</header>
${begun(index, look)}${periods(index, look)}`
  }, look)
