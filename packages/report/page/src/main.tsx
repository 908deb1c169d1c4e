/** Shows the report that the file holds. */
import { render } from "preact"
import { App } from "./App.tsx"
import * as Book from "./Book.ts"
// oxlint-disable import/no-unassigned-import
import "./styles/frame.css"
import "./styles/heading.css"
import "./styles/totals.css"
import "./styles/books.css"
import "./styles/charts.css"
import "./styles/filters.css"
import "./styles/list.css"
import "./styles/narrow.css"
import "./styles/paper.css"

const page = document.querySelector("#page")
if (page !== null) {
  try {
    render(<App book={Book.read()} />, page)
  } catch (error) {
    render(
      <p role="alert" class="alert">{error instanceof Error ? error.message : "This file cannot be shown."}</p>,
      page
    )
    throw error
  }
}
