/** A page without its matches: it is small, opens, says what it leaves out, and shows the numbers of the whole report. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Extract from "@tallystick/reconcile/Extract"
import * as Html from "@tallystick/report/Html"
import * as BigReport from "./support/BigReport.ts"
import * as Browser from "./support/Browser.ts"

let browser: Browser.Browser

beforeAll(async () => {
  browser = await Browser.launch()
})

afterAll(async () => {
  await browser?.close()
})

const report = BigReport.make(2000, 0.97)

describe("a page without its matches", () => {
  it("says how many it leaves out, and offers none of them", async () => {
    const parts = Array.from(Html.parts(report, { only: Extract.withoutMatches }))
    const { complaints, page } = await browser.open(parts)
    const matches = report.outcomes.filter(({ outcome }) => outcome === "matched").length
    const facts = await page.locator(".left-out").innerText()
    assert.match(
      facts.replaceAll(/[\s,\u202f\u2009\u00a0]/g, ""),
      new RegExp(`Leftout:${matches}matches;totalsandcounts`, "i")
    )
    const choices = await page.locator(".filters option").allTextContents()
    assert.include(choices, "Matched (0)")
    const shown = await page.locator(".status").innerText()
    assert.include(shown.replaceAll(/\D+/g, " "), ` ${report.outcomes.length - matches} `)
    assert.deepStrictEqual(complaints, [])
    await page.close()
  })

  it("takes some 600 bytes for each outcome that it shows, and none for the others", () => {
    const size = (only?: ReadonlyArray<Extract.Word>): number =>
      Array.from(Html.parts(report, { only })).join("").length
    const empty = size([])
    const carried = report.outcomes.filter(({ outcome }) => outcome !== "matched").length
    assert.isBelow((size(Extract.withoutMatches) - empty) / carried, 800)
  })
})
