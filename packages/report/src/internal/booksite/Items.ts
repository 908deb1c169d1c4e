/** A table of items, each of which leads to its page. */
import type { Item, Look } from "./Facts.ts"
import * as Frame from "./Frame.ts"
import { html, type Markup } from "./Markup.ts"
import * as Words from "./Words.ts"

const decided: Readonly<Record<Item["decided"], string>> = {
  none: "",
  noted: "noted",
  proposed: "decision proposed",
  decided: "decided"
}

const columns = [
  { title: "Item" },
  { title: "Difference" },
  { title: "Worth", isNumber: true },
  { title: "Earliest entry" },
  { title: "At" },
  { title: "State" }
]

const stateOf = ({ decided: what, state }: Item): Markup =>
  html`${Words.tag(state)}${what === "none" ? undefined : html` <span class="tag">${decided[what]}</span>`}`

/** Returns the table; `root` is the way to the folder of the index. */
export const table = (name: string, items: ReadonlyArray<Item>, root: "" | "../", look: Look): Markup =>
  Frame.list(
    name,
    columns,
    items.map((item) =>
      html`<tr><td><a href="${root}items/${item.id}.html">${Words.title(item.code)}</a></td><td>${
        item.difference === undefined ? "nobody can say" : Words.difference(item.difference)
      }</td><td class="number">${
        item.worth === undefined ? "" : Words.worth(item.worth, item.difference?.bound ?? "exact", look)
      }</td><td>${Words.entries(item)}</td><td>${Frame.moment(item.at, look)}</td><td>${stateOf(item)}</td></tr>
`
    )
  )
