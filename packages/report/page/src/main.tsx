/** Shows the report that the file holds. */
import { render } from "preact"
import { App } from "./App.tsx"
import * as Book from "./Book.ts"
// oxlint-disable import/no-unassigned-import
import "uplot/dist/uPlot.min.css"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/components.css"
import "./styles/heading.css"
import "./styles/filters.css"
import "./styles/list.css"
import "./styles/details.css"
import "./styles/panels.css"
import "./styles/charts.css"
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
