/** The page of an item. It goes on when the item is settled, and says so then: people have its address. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as FinalText from "../../text/FinalText.ts"
import * as Text from "../../text/Text.ts"
import * as Advice from "../content/Advice.ts"
import * as Sentences from "../content/Sentences.ts"
import type { Change, Look, Made, Story } from "./Facts.ts"
import * as Frame from "./Frame.ts"
import { html, type Markup, type Part } from "./Markup.ts"
import * as Words from "./Words.ts"

const made = ({ at, execution }: Made, look: Look): Markup =>
  html`${at === undefined ? undefined : html`${Frame.moment(at, look)}, `}execution ${String(execution)}`

const waits = ({ state }: Story): boolean => state === "open" || state === "pending" || state === "undetermined"

/** So many other items are led to from one. */
const MOST_OTHERS = 20

const link = (id: string): Markup => html`<a href="${id}.html">${id}</a>`

/** Entries that once waited with its first one wait elsewhere: nobody may take the item for settled as a whole. */
const others = ({ others }: Story): Part => {
  if (others.length === 0) return undefined
  const [first = "", ...rest] = others.slice(0, MOST_OTHERS)
  const more = others.length - MOST_OTHERS
  return html`<p class="verdict">Other entries that waited with it wait on, in ${
    Text.counted(others.length, "other item")
  }: ${link(first)}${rest.map((id) => html`, ${link(id)}`)}${more > 0 ? ` and ${String(more)} more` : undefined}.</p>
`
}

/** Where it stands, with the moment for what is settled. */
const standing = (story: Story, look: Look): Markup =>
  story.within !== undefined
    ? html`<p class="verdict">Its first entry waits within <a href="${story.within}.html">another item</a> now.</p>
`
    : waits(story)
    ? html`<p class="verdict">${Words.tag(story.state)}</p>
`
    : story.others.length > 0
    ? html`<p class="verdict">Its first entry is ${Words.tag(story.state)} since ${made(story.by, look)}.</p>
`
    : html`<p class="verdict">${Words.tag(story.state)} at ${made(story.by, look)}.</p>
`

const facts = (story: Story, look: Look): Markup => {
  const { at, day, difference, id, outcome, since, worth } = story
  return html`<dl class="facts card">
${
    waits(story)
      ? Frame.fact("Difference", difference === undefined ? "nobody can say" : Words.difference(difference))
      : undefined
  }${
    worth === undefined ? undefined : Frame.fact("Worth", Words.exactWorth(worth, difference?.bound ?? "exact", look))
  }${Frame.fact("Earliest entry", Frame.moment(at, look))}${Frame.fact("Waited first after", made(since, look))}${
    Frame.fact("Day", html`<a href="../days/${day}.html">${day}</a>`)
  }${Frame.fact("Item", html`<code>${id}</code>`)}${
    outcome === undefined ? undefined : Frame.fact("Outcome", html`<code>${outcome.id}</code>`)
  }${
    outcome === undefined || !waits(story)
      ? undefined
      : Frame.fact("Finality", FinalText.of(outcome, (ms) => Frame.momentText(ms, look)))
  }</dl>
`
}

const words = (outcome: Outcome.Outcome | undefined, look: Look): Markup =>
  outcome === undefined
    ? html`<p class="note">The archive does not keep the outcome in words.</p>
`
    : html`<p class="told">${Sentences.alone(look.zone)(outcome).explanation}</p>
`

const entries = ({ entries }: Story, look: Look): Markup =>
  Frame.section(
    "Entries",
    Frame.list(
      "Entries",
      [{ title: "Side" }, { title: "Amount", isNumber: true }, { title: "Account" }, { title: "At" }, { title: "Id" }],
      entries.map(({ account, amount, asset, at, id, side }) =>
        html`<tr><td>${side}</td><td class="number">${amount} ${asset}</td><td>${account ?? ""}</td><td>${
          Frame.moment(at, look)
        }</td><td class="id"><code>${id}</code></td></tr>
`
      )
    )
  )

const command = ({ label, text }: Advice.Command): Markup =>
  html`<div class="command"><span class="label">${label}</span><code>${text}</code></div>
`

/** A reader of the page need not learn where the archive is, so no command on it names that. */
const WHERE = "Add --archive-file or --config if your archive is not where the command looks by itself."

/**
 * What to do, for what waits, and where to read all of it. The page knows no files of accounts, addresses and policy, so it has no command
 * that asks anything anew.
 */
const advice = (story: Story): Markup => {
  const sentence = story.outcome === undefined || !waits(story) ? undefined : Advice.sentenceOf(story.outcome)
  return Frame.section(
    waits(story) ? "What to do" : "More",
    html`<div class="card">${
      sentence === undefined ? undefined : html`<p>${sentence}</p>
`
    }${command(Advice.ofItem(story.id))}<p class="note">${WHERE}</p></div>
`
  )
}

const change = (one: Change, look: Look): Markup =>
  html`<tr><td>${made(one.made, look)}</td><td>${one.side} ${Words.shortId(one.id)}</td><td>${
    Words.amount(one)
  }</td><td>${Words.tag(one.state)}</td><td>${Words.code(one.code)}</td></tr>
`

const history = ({ history, id, untold }: Story, look: Look): Part =>
  history.length === 0 ? undefined : Frame.section(
    "History",
    html`${
      Frame.list(
        "History",
        [{ title: "After" }, { title: "Entry" }, { title: "Amount" }, { title: "State" }, { title: "As" }],
        history.map((one) => change(one, look))
      )
    }${
      untold === 0 ?
        undefined :
        html`<p class="note">${
          Text.counted(untold, "more entry has a history", "more entries have a history")
        } of their own: <code>tallystick item ${id}</code>.</p>
`
    }`
  )

const decisions = ({ decisions }: Story, look: Look): Part =>
  decisions.length === 0 ? undefined : Frame.section(
    "Decisions",
    html`<ul class="card list">${
      decisions.map(({ at, text }) =>
        html`<li>${Frame.moment(at, look)}: ${text}</li>
`
      )
    }</ul>
`
  )

/** Returns the text of the page. */
export const of = (story: Story, look: Look): string =>
  Frame.written({
    title: `${Words.title(story.code)}: ${
      story.others.length > 0 ? "entries of it wait elsewhere" : Words.state(story.state)
    }`,
    root: "../",
    body: html`<header>
<h1>${Words.title(story.code)}</h1>
${standing(story, look)}${others(story)}${words(story.outcome, look)}</header>
${facts(story, look)}${entries(story, look)}${advice(story)}${history(story, look)}${decisions(story, look)}`
  }, look)

/**
 * Returns the text of the page of an id that the books do not know. People may have its address, so it stays; it says nothing of what it
 * said before, for whose books that was nobody knows any more.
 */
export const ofUnknown = (id: string, look: Look): string =>
  Frame.written({
    title: `Not in the books: ${id}`,
    root: "../",
    body: html`<header>
<h1>Not in the books</h1>
<p class="verdict">These books know no item <code>${id}</code>.</p>
<p class="told">This page told of it before, from other books: those of another archive, or these books in a state that they are no longer in, as after a backup was restored.</p>
</header>
`
  }, look)
