/** Shows the report that the file holds. */
import { type ComponentChild, render } from "preact"
import { App } from "./App.tsx"
import * as Book from "./Book.ts"
// oxlint-disable import/no-unassigned-import
import "uplot/dist/uPlot.min.css"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/tag.css"
import "./styles/components.css"
import "./styles/heading.css"
import "./styles/filters.css"
import "./styles/list.css"
import "./styles/details.css"
import "./styles/panels.css"
import "./styles/charts.css"
import "./styles/paper.css"

const page = document.querySelector("#page")

/** Shows what is made, or why it cannot be made. */
const show = (make: () => ComponentChild): void => {
  if (page === null) return
  try {
    render(make(), page)
  } catch (error) {
    render(
      <p role="alert" class="alert">{error instanceof Error ? error.message : "This file cannot be shown."}</p>,
      page
    )
    throw error
  }
}

// The script stands behind the facts and before the outcomes: the first screen is there while a long file is still read.
show(() => {
  const facts = Book.readFacts()
  document.addEventListener("DOMContentLoaded", () => show(() => <App facts={facts} book={Book.read(facts)} />))
  return <App facts={facts} book={undefined} />
})
