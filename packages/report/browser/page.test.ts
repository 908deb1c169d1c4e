/** Small reports: what strangers write, other zones, prices, dark rooms, small screens, and readers of screens. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Html from "@tallystick/report/Html"
import * as DateTime from "effect/DateTime"
import * as BookSample from "../../reconcile/test/bookSample.ts"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Accessibility from "./support/Accessibility.ts"
import * as BigReport from "./support/BigReport.ts"
import * as Browser from "./support/Browser.ts"
import * as Shown from "./support/Shown.ts"

let browser: Browser.Browser

beforeAll(async () => {
  browser = await Browser.launch()
})

afterAll(async () => {
  await browser?.close()
})

const report = Sample.report()

const again = (changes: Partial<Parameters<typeof Report.make>[0]>): Report.Report =>
  Report.make({ ...report, accounts: Sample.accounts, addresses: [], range: undefined, ...changes })

describe("the page", () => {
  it("does nothing with what strangers write but show it", async () => {
    const evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202etxt.exe\u2028{{7*7}}"
    const shownAs = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&txt.exe {{7*7}}"
    const outcomes = report.outcomes.map((outcome, index) => ({
      ...outcome,
      explanation: evil,
      deposits: outcome.deposits.map((entry) => ({
        ...entry,
        id: `${evil}${index}`,
        account: evil,
        memo: evil,
        network: evil,
        reference: evil,
        record: { evil }
      })),
      candidates: [{ side: "transfer" as const, id: evil, reason: evil }]
    }))
    const { complaints, page } = await browser.open(
      Html.parts({ ...again({ outcomes, warnings: [evil] }), meaning: evil })
    )
    await page.locator("[role=row].line", { hasText: "nmatched deposit" }).first().click()
    const text = await page.locator("#page").innerText()
    assert.include(text, `Warning: ${shownAs}`)
    assert.include(await page.locator(".details").innerText(), shownAs)
    assert.notMatch(text, /[\u202a-\u202e\u2028]/)
    assert.strictEqual(await page.locator("img").count(), 0)
    assert.deepStrictEqual(complaints, [])
    await page.close()
  })

  it("says when the books agree, and that nothing is in doubt", async () => {
    const outcomes = report.outcomes.filter(({ outcome }) => outcome === "matched")
    const { complaints, page } = await browser.open(Html.parts(again({ outcomes })))
    assert.match(await page.getByRole("heading", { level: 1 }).textContent() ?? "", /^The books agree: /)
    assert.strictEqual(await page.getByRole("img", { name: "The books agree" }).count(), 1)
    assert.include(await page.locator("main").innerText(), "Nothing is in doubt.")
    assert.deepStrictEqual(complaints, [])
    await page.close()
  })

  it("shows a report without outcomes", async () => {
    const { complaints, page } = await browser.open(Html.parts(again({ outcomes: [], coverage: [] })))
    await Shown.tab(page, /totals/)
    assert.include(await page.locator("main").innerText(), "No entries were read.")
    assert.strictEqual(await page.getByText("Over time").count(), 0)
    assert.deepStrictEqual(complaints, [])
    await page.close()
  })

  it("shows the books that a run brought forward, and breaks no rule of accessibility with them", async () => {
    const books = { ...report, asOf: BookSample.AS_OF, books: BookSample.books }
    const { complaints, page } = await browser.open(Html.parts(books))
    await page.emulateMedia({ colorScheme: "dark" })
    const bridge = await page.getByRole("table", { name: "Roll-forward of the books" }).getByRole("row")
      .allTextContents()
    assert.deepStrictEqual(bridge, [
      "Roll-forwardbrought forward+new\u2212matched\u2212set out=carried forward",
      "Open, entries1,2032111,203",
      "Pending, entries1\u2013\u2013\u20131"
    ])
    await Shown.tab(page, /^Books/)
    const rows = await Shown.tableOf(page, ".forward")
    assert.deepStrictEqual(rows, [
      ["USDT, open", "brought forward", "1,200", "1500.5", "3", "7"],
      ["new", "2", "3", "0", "0"],
      ["restated", "0", "-0.5", "0", "0"],
      ["less matched", "1", "1.25", "0", "0"],
      ["less set out", "1", "10", "0", "0"],
      ["carried forward", "1,200", "1491.75", "3", "7"],
      ["<b>|*x*, pending", "carried, unchanged", "1", "4", "0", "0"]
    ])
    const items = await Shown.tableOf(page, ".waits")
    assert.lengthOf(items, 20)
    assert.deepStrictEqual(items[0]?.slice(1, 3), ["2 d", "missing-transfer"])
    const text = await page.locator("main").innerText()
    assert.include(text, "2 entries that waited are settled: 1 matched (exact) and 1 out (gone).")
    assert.match(text, /… and 1.?080 more items that go on waiting/)
    assert.deepStrictEqual(await Accessibility.violations(page), [])
    await page.setViewportSize({ width: 400, height: 800 })
    // The list is laid out anew behind the change of width.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 400)
    assert.deepStrictEqual(complaints, [])
    await page.close()
  })

  it("shows what the books are worth, and breaks no rule of accessibility with it", async () => {
    const { complaints, page } = await browser.open(Html.parts({ ...report, books: BookSample.valued }))
    const bridge = page.getByRole("table", { name: "Roll-forward of the books" })
    assert.include(await bridge.textContent(), "Open, worth in USD1,507.50\u2212753.751.50")
    await Shown.tab(page, /^Books/)
    assert.deepStrictEqual((await Shown.tableOf(page, ".worth")).slice(0, 3), [
      ["USDT, open", "brought forward", "1500.5", "7"],
      ["revaluation", "-750.25", "-3.5"],
      ["new", "1.5", "0"]
    ])
    const text = await page.locator("main").innerText()
    assert.include(text, "Worth of the roll-forward in USD")
    assert.include(text, "No worth is stated of <b>|*x*")
    assert.deepStrictEqual(await Accessibility.violations(page), [])
    await page.setViewportSize({ width: 400, height: 800 })
    // The list is laid out anew behind the change of width.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 400)
    assert.deepStrictEqual(complaints, [])
    await page.close()
  })

  it("says so when the file is not whole", async () => {
    const parts = Array.from(Html.parts(report))
    const { page } = await browser.open(parts.filter((part) => !part.includes("data-part=\"outcomes\"")))
    assert.match(await page.getByRole("alert").innerText(), /not whole: it holds 0 outcomes instead of \d+/)
    await page.close()
  })

  it("tells what belongs to other days apart, in totals, chart, list and details", async () => {
    // The range begins between a deposit and its transfer.
    const range = { from: Sample.START + Sample.HOUR + 60_000, to: Sample.START + 24 * Sample.HOUR }
    const cut = again({ range })
    const { complaints, page } = await browser.open(Html.parts(cut))
    await Shown.tab(page, /totals/)
    const row = await page.locator("tbody[data-asset='USDT'] tr.of-other-days > *").allTextContents()
    assert.deepStrictEqual(row, ["of other days", "1", "100.1", "0", "0", "100.1"])
    await Shown.tab(page, /time/)
    const chart = page.locator("figure", { hasText: "Entries per" })
    assert.include(await chart.locator(".key").innerText(), "of other days")
    assert.include(await chart.innerText(), "1 entry of other days, outside the range")
    await Shown.tab(page, /^Breaks/)
    await page.getByLabel("Show").selectOption({ label: "Matched (3)" })
    const shown = await Shown.rowsOf(page)
    assert.strictEqual(shown.filter(({ cells }) => (cells["title"] ?? "").startsWith("of another day: ")).length, 1)
    await page.locator("[role=row].line", { hasText: "of another day" }).click()
    const marked = page.locator(".entry", { hasText: "of another day" })
    assert.strictEqual(await marked.count(), 1)
    assert.include(await marked.textContent(), "d-exact")
    assert.deepStrictEqual(complaints, [])
    await page.close()
    // A break of another day is counted apart, as in the figures.
    const later = await browser.open(Html.parts(again({ range: { ...range, from: Sample.START + 2.5 * Sample.HOUR } })))
    assert.match(await later.page.getByRole("tab", { name: /^Breaks/ }).innerText(), /^Breaks\s*4 and 1 of other days$/)
    assert.match(await Shown.statusOf(later.page), /^5 of \d+ outcomes shown, 1 of other days, /)
    await later.page.close()
    const earlier = await browser.open(Html.parts({ ...cut, version: 1 }))
    assert.include(await earlier.page.locator("#page").innerText(), "This report was made by an earlier version")
    await earlier.page.getByLabel("Show").selectOption({ label: "Matched (3)" })
    const listed = await Shown.rowsOf(earlier.page)
    assert.deepStrictEqual(
      listed.map(({ cells }) => cells["title"]),
      shown.map(({ cells }) => (cells["title"] ?? "").replace("of another day: ", ""))
    )
    await earlier.page.close()
  })

  it("shows the ages of open entries also where every discrepancy is of another day", async () => {
    const ageing = report.ageing.map(({ from, to }) => ({ from, to, outcomes: 0, entries: from === 0 ? 1 : 0 }))
    const { page } = await browser.open(Html.parts({ ...report, ageing }))
    await Shown.tab(page, /time/)
    assert.match(await page.locator("figure", { hasText: "Ageing of breaks" }).textContent() ?? "", /under 1 h01/)
    await page.close()
  })

  it("shows times in the zone of the report, which is named once, and with their offset where a row opens", async () => {
    const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
    const { page } = await browser.open(Html.parts(report, { zone }))
    const row = (await Shown.rowsOf(page)).find(({ cells }) => cells["time"] !== "")
    assert.match(row?.cells["time"] ?? "", /^2026-11-\d\d \d\d:\d\d:\d\d$/)
    await page.locator(`.line[aria-rowindex='${row?.number}']`).click()
    assert.match(
      await page.locator(".entry dd").first().innerText(),
      /^2026-11-\d\d \d\d:\d\d:\d\d\.\d{3}\+01:00$/
    )
    assert.include(await page.locator("header").innerText(), "Europe/Berlin")
    await page.close()
  })

  it("puts the most money first where prices are given, and shows what it is worth exactly", async () => {
    const prices = new Map([["BTC", "65000.12"], ["USDT", "1.0001"]])
    const { page } = await browser.open(Html.parts(report, { prices }))
    const rows = await Shown.rowsOf(page)
    assert.deepInclude(rows.map(({ cells }) => [cells["difference"], cells["worth"]]), [
      "12.345678901234567890123456789missing",
      "12.35"
    ])
    await page.locator("[role=row].line", { hasText: "12.345678901234567890123456789" }).click()
    assert.include(await page.locator(".evidence").textContent(), "12.3469134691246913469124691346789")
    assert.include(await Shown.statusOf(page), "most money first")
    await Shown.tab(page, /totals/)
    const cells = await page.locator("tbody[data-asset='BTC'] tr.worth > *").allTextContents()
    assert.deepStrictEqual([cells[0], cells.at(-1)], ["open, worth at 65000.12", ""])
    await page.close()
  })

  it("names the assets that have no price", async () => {
    const { page } = await browser.open(Html.parts(report, { prices: new Map([["BTC", "65000.12"]]) }))
    await Shown.tab(page, /^Scope/)
    const text = await page.getByRole("tabpanel", { name: /^Scope/ }).innerText()
    const unpriced = report.totals.flatMap(({ assets }) => assets).filter((asset) => asset !== "BTC")
    assert.isAbove(unpriced.length, 0)
    assert.include(text, "no price for ")
    for (const asset of unpriced) assert.include(text, asset)
    await page.close()
  })

  it("groups counts as it groups amounts, by gaps, and keeps the text of both", async () => {
    const { page } = await browser.open(Html.parts(BigReport.make(1500, 0.8)))
    const status = page.locator(".breaks .status")
    assert.match(await status.textContent() ?? "", /of 1,\d{3} outcomes shown/)
    const commas = await status.locator(".comma").evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize))
    assert.deepStrictEqual(Array.from(new Set(commas)), ["0px"])
    await page.close()
  })

  it("finds what is shown, what was considered and by which rule, whatever is invisible in it", async () => {
    const [one, ...others] = report.outcomes.filter(({ code }) => code === "missing-transfer")
    assert.isDefined(one)
    const dressed = {
      ...one,
      deposits: one.deposits.map((entry) =>
        Object.assign({}, entry, { reference: "in\u200bvo\u202eice 77", account: "de\u200bsk" })
      ),
      candidates: [{ side: "transfer" as const, id: "t-far", reason: "zebra hours away" }],
      rule: "quagga rule"
    }
    const outcomes = [dressed, ...others, ...report.outcomes.filter(({ code }) => code !== "missing-transfer")]
    const { page } = await browser.open(Html.parts({ ...report, outcomes }))
    const status = page.locator(".breaks .status")
    for (const text of ["invoice 77", "in\u200bvoice", "zebra", "QUAGGA"]) {
      await page.getByLabel("Search", { exact: true }).fill(text)
      await status.filter({ hasText: /^1 of / }).waitFor()
      assert.include(await page.locator("[role=row].line").first().textContent(), "unmatched deposit", text)
    }
    await page.getByLabel("Search", { exact: true }).fill("")
    await page.getByLabel("Account", { exact: true }).fill("desk")
    await status.filter({ hasText: /^1 of / }).waitFor()
    await page.close()
  })

  it("tells how a column is sorted by its state, and not in the name of its button", async () => {
    const { page } = await browser.open(Html.parts(report))
    await page.getByRole("button", { name: "Difference", exact: true }).click()
    const header = page.getByRole("columnheader", { name: "Difference", exact: true })
    const sorted = await header.getAttribute("aria-sort")
    assert.include(["ascending", "descending"], sorted)
    assert.include(await header.textContent() ?? "", sorted === "ascending" ? "\u2191" : "\u2193")
    const drawn = await header.getByRole("button").evaluate((one) => getComputedStyle(one, "::after").content)
    assert.strictEqual(drawn, "none")
    await page.close()
  })

  it("lets nothing overlap: worths break, and 320 pixels are enough", async () => {
    const [price, wide] = ["1.000123456789012345678901234567890123456789012345678901234", "12345678901234567890.5"]
    const outcomes = report.outcomes.map((outcome) => ({
      ...outcome,
      deposits: outcome.deposits.map((entry) => ({ ...entry, amount: wide }))
    }))
    const { page } = await browser.open(
      Html.parts(again({ outcomes }), { prices: new Map([["BTC", price], ["USDT", price]]) })
    )
    await page.locator("[role=row].line").filter({ hasText: "nmatched deposit" }).first().click()
    const facts = page.locator(".evidence > div")
    await facts.first().waitFor()
    const over = await facts.evaluateAll((all) =>
      all.flatMap((fact) => {
        const { right } = fact.getBoundingClientRect()
        return Array.from(fact.querySelectorAll(".amount"), (one) => one.getBoundingClientRect().right - right)
      })
    )
    assert.isAbove(over.length, 0)
    for (const pixels of over) assert.isAtMost(pixels, 0.5)
    await page.setViewportSize({ width: 320, height: 800 })
    await page.locator(".grid.cards").waitFor()
    await page.waitForFunction(() => document.documentElement.scrollWidth === document.documentElement.clientWidth)
    await page.close()
  })

  it("prints sums in one piece, and begins the totals on the sheet of the verdict", async () => {
    const { page } = await browser.open(Html.parts(report))
    await page.emulateMedia({ media: "print" })
    const table = page.locator(".card", { has: page.locator(".totals") })
    assert.strictEqual(await table.evaluate((one) => getComputedStyle(one).breakInside), "auto")
    const fractions = await table.locator(".fraction").evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).display)
    )
    assert.deepStrictEqual(Array.from(new Set(fractions)), ["inline"])
    await page.close()
  })

  it("prints a hundred breaks on less than 20 sheets, each in one piece, with the policy, and names unbroken", async () => {
    const long = BigReport.make(400, 0.75)
    const renamed = long.outcomes.map((outcome) => ({
      ...outcome,
      deposits: outcome.deposits.map((entry) => ({ ...entry, account: `north-desk-of-${entry.account}` }))
    }))
    const { page } = await browser.open(Html.parts({ ...long, outcomes: renamed }))
    assert.strictEqual(await page.getByText("\"window\": {").count(), 0)
    await page.emulateMedia({ media: "print" })
    const articles = page.locator("article")
    await articles.first().waitFor()
    assert.isAbove(await articles.count(), 100)
    assert.isTrue(await page.getByText("\"window\": {").isVisible())
    const whole = await articles.evaluateAll((all) => all.every((one) => getComputedStyle(one).breakInside === "avoid"))
    assert.isTrue(whole)
    await page.setViewportSize({ width: 711, height: 1000 })
    const names = page.locator(".printed .account")
    const lines = await names.evaluateAll((all) => all.map((one) => one.getClientRects().length))
    assert.isAbove(lines.length, 100)
    assert.deepStrictEqual(Array.from(new Set(lines)), [1])
    const sheets = (await page.pdf({ preferCSSPageSize: true, format: "A4" })).toString("latin1")
    assert.isBelow(Array.from(sheets.matchAll(/\/Type \/Page\b/g)).length, 20)
    await page.close()
  })

  for (const scheme of ["light", "dark"] as const) {
    for (const width of [1400, 800, 400]) {
      it(`breaks no rule of accessibility, and scrolls to no side: ${scheme}, ${width} pixels`, async () => {
        const { complaints, page } = await browser.open(Html.parts(BigReport.make(200, 0.8)))
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: scheme })
        await page.locator(width < 1160 ? ".grid.cards" : ".grid:not(.cards)").waitFor()
        await page.locator("[role=row].line").nth(1).click()
        await page.locator(".details, .level-2").first().waitFor()
        for (const tab of await page.getByRole("tab").all()) {
          await tab.click()
          for (const summary of await page.locator("[role=tabpanel]:not([hidden]) summary").all()) await summary.click()
          assert.deepStrictEqual(await Accessibility.violations(page), [])
          const wide = await page.evaluate(() =>
            document.documentElement.scrollWidth - document.documentElement.clientWidth
          )
          assert.strictEqual(wide, 0)
        }
        const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
        assert.strictEqual(ground, scheme === "dark" ? "rgb(15, 19, 25)" : "rgb(246, 247, 249)")
        assert.deepStrictEqual(complaints, [])
        await page.close()
      })
    }
  }
})
