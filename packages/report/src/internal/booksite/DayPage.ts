/** The page of a day: what judged it, what was not read, and what of it waits. */
import * as Text from "../../text/Text.ts"
import * as RangeTitle from "../content/RangeTitle.ts"
import type { Day, Judged, Look } from "./Facts.ts"
import * as Frame from "./Frame.ts"
import * as Items from "./Items.ts"
import { html, type Markup, type Part } from "./Markup.ts"
import * as Standing from "./Standing.ts"

const titles = { agrees: "agrees", breaks: "breaks are open", undecided: "not decided" } as const

const judgement = ({ by, execution, from, madeAt, run, to }: Judged, look: Look): Markup =>
  html`<li>${Frame.stretch({ from, to }, look)}: run <code>${run}</code>, by which ${by} brought the books forward at ${
    Frame.moment(madeAt, look)
  } (execution ${String(execution)}). <code>tallystick show ${run}</code> tells all of it.</li>
`

const judged = (day: Day, look: Look): Markup =>
  Frame.section(
    "Judged by",
    day.judged.length === 0
      ? html`<p class="empty">No run of the books judged this day.</p>
`
      : html`<ul class="card list">${day.judged.map((one) => judgement(one, look))}</ul>
`
  )

/** So many records that could not be read are named. */
const LISTED = 50

const lacking = (day: Day, look: Look): Part => {
  const more = day.unreadable.length - LISTED
  const lines = [
    ...Standing.unjudged(day).map((one) =>
      html`<li>No run judged the time ${Frame.stretch(one, look)}.</li>
`
    ),
    ...day.unread.map((one) =>
      html`<li>Not all was read of the time ${Frame.stretch(one, look)}.</li>
`
    ),
    ...day.unsettled.map(({ execution, from, operation, to }) =>
      html`<li>Execution ${String(execution)} looks for counterparts up to ${
        Frame.moment(to, look)
      }, and not all ${operation} from ${
        Frame.moment(from, look)
      } on were read when it was made. Reconcile this day again when they are.</li>
`
    ),
    ...day.due.map((one) =>
      html`<li>What was said of the time ${
        Frame.stretch(one, look)
      } may be otherwise by now, because of a later record, decision, policy or list of accounts or addresses: reconcile it with --book again.</li>
`
    ),
    ...day.unreadable.slice(0, LISTED).map(({ id, text }) =>
      html`<li><code>${id}</code> ${text}</li>
`
    ),
    ...(more > 0
      ? [html`<li>${Text.counted(more, "more record")} could not be read; the index names all of them.</li>
`]
      : [])
  ]
  return lines.length === 0 ? undefined : Frame.section(
    "What is lacking",
    html`<ul class="card list">${lines}</ul>
`
  )
}

const titlesOfStates = [["open", "Breaks"], ["undetermined", "Not decidable"], ["pending", "Pending"]] as const

const items = (day: Day, look: Look): ReadonlyArray<Part> =>
  titlesOfStates.map(([state, title]) => {
    const own = day.items.filter((item) => item.state === state)
    return own.length === 0
      ? undefined
      : Frame.section(`${title} (${Text.count(own.length)})`, Items.table(title, own, "../", look))
  })

/** Returns the text of the page. */
export const of = (day: Day, look: Look): string => {
  const standing = Standing.of(day)
  const title = RangeTitle.of(day, look.zone)
  return Frame.written({
    title: `${title}: ${titles[standing]}`,
    root: "../",
    body: html`<header>
<h1>${title}</h1>
<p class="verdict ${standing}"><span class="sign ${standing}" aria-hidden="true">${Standing.signs[standing]}</span> ${
      Standing.sentence(day)
    }</p>
</header>
${items(day, look)}${lacking(day, look)}${judged(day, look)}`
  }, look)
}
