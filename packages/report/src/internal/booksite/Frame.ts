/** What every page of a site has: its head, its title with the way back, and its end. */
import * as Times from "../../text/Times.ts"
import type { Interval, Look } from "./Facts.ts"
import { html, type Markup, type Part } from "./Markup.ts"

/** The file of the styles, beside the index. */
export const STYLE = "tallystick.css"

/** A page that begins so was made here. */
export const BEGINNING = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="tallystick site">
`

/**
 * Nothing but the style beside the pages is loaded, and nothing runs. From disk a browser may take each file for an origin of its own, so
 * that the scheme is named too.
 */
const POLICY = "default-src 'none'; style-src 'self' file:; base-uri 'none'; form-action 'none'"

export interface Page {
  /** The title of the window. */
  readonly title: string
  /** The way to the folder of the index: empty, or `../`. */
  readonly root: "" | "../"
  readonly body: Part
}

const head = ({ root, title }: Page): Markup =>
  html`<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${root}${STYLE}">
</head>`

/** Names the books: by whose they are, where somebody said so. */
export const booksOf = ({ title }: Look): string => title === undefined ? "The books" : `The books of ${title}`

/** Returns the whole text of a page. */
export const written = (page: Page, look: Look): string => {
  const { body, root } = page
  const home = root === "" ? undefined : html`<nav class="home"><a href="../index.html">${booksOf(look)}</a></nav>
`
  return BEGINNING + html`${head(page)}
<body>
<div id="page">
${home}<main>
${body}</main>
<footer><p>All days and times are in ${Times.make(look.zone).zone}.</p></footer>
</div>
</body>
</html>
`.text
}

const bound = (ms: number, { zone }: Look): string => Times.make(zone).bound(ms)

/** Writes a moment to the second, as text. */
export const momentText = (ms: number, look: Look): string => bound(ms, look).replace(/(:\d\d:\d\d)\.\d+/, "$1")

/** Writes a moment to the second. */
export const moment = (ms: number, look: Look): Markup => html`<time>${momentText(ms, look)}</time>`

/** Writes a stretch of time, exactly. */
export const stretch = ({ from, to }: Interval, look: Look): Markup =>
  html`from <time>${bound(from, look)}</time> to <time>${bound(to, look)}</time>`

/** A fact with its name, in a list of such. */
export const fact = (label: string, value: Part): Markup =>
  html`<div><dt>${label}</dt><dd>${value}</dd></div>
`

/** A section with its title. */
export const section = (title: string, body: Part): Markup =>
  html`<section>
<h2>${title}</h2>
${body}</section>
`

interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

const tableOf = (
  name: string,
  kind: "rows" | "rows stacks",
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Markup>
): Markup =>
  html`<div class="scrolls card" role="region" aria-label="${name}" tabindex="0">
<table class="${kind}">
<thead><tr>${
    columns.map(({ isNumber, title }) =>
      html`<th scope="col"${isNumber === true ? html` class="number"` : undefined}>${title}</th>`
    )
  }</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`

/** A table that scrolls by itself where the window is too narrow for it; keys can scroll it too. */
export const table = (name: string, columns: ReadonlyArray<Column>, rows: ReadonlyArray<Markup>): Markup =>
  tableOf(name, "rows", columns, rows)

/** A table whose cells say by themselves what they are: in a narrow window they follow each other in lines. */
export const list = (name: string, columns: ReadonlyArray<Column>, rows: ReadonlyArray<Markup>): Markup =>
  tableOf(name, "rows stacks", columns, rows)
