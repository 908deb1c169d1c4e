/** Shows the report that the file holds. */
import { render } from "preact"
import { App } from "./App.tsx"
import * as Book from "./Book.ts"
// oxlint-disable-next-line import/no-unassigned-import
import "./page.css"

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
