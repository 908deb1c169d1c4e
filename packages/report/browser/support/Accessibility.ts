/** What the rules of accessibility find wrong with a page. */
import axe from "axe-core"
import type { Page } from "playwright-core"

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** What the rules of accessibility find wrong. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Through the debugger, since the page lets no script in.
  await page.evaluate(axe.source)
  const found: ReadonlyArray<Violation> = await page.evaluate("axe.run().then(({ violations }) => violations)")
  return found.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join("\n")}`
  )
}
