/** What the page shows, read as a person would. */
import type { Page } from "playwright-core"

export interface ShownRow {
  /** Its number among all rows, the titles being 1. */
  readonly number: number
  readonly cells: Readonly<Record<string, string>>
}

const rows = "[role=row].line"

/** The rows that are in the page, in their order. */
export const rowsOf = (page: Page): Promise<ReadonlyArray<ShownRow>> =>
  page.locator(rows).evaluateAll((elements) =>
    elements.map((element) => ({
      number: Number(element.getAttribute("aria-rowindex")),
      cells: Object.fromEntries(
        Array.from(element.querySelectorAll("[role=gridcell], .title, .explanation"), (cell) => [
          Array.from(cell.classList).find((name) => name.startsWith("c-"))?.slice(2) ?? cell.className,
          cell.textContent
        ])
      )
    }))
  )

/** Chooses a tab, and waits until its panel is shown. */
export const tab = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole("tab", { name }).click()
  await page.getByRole("tabpanel", { name }).waitFor()
}

/** The sentence that says how many outcomes are shown. */
export const statusOf = (page: Page): Promise<string> => page.getByRole("status").innerText()

/** The rows of a table, cell by cell. */
export const tableOf = (page: Page, selector: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  page.locator(`${selector} tbody tr`).evaluateAll((lines) =>
    lines.map((line) => Array.from(line.children, ({ textContent }) => textContent))
  )
