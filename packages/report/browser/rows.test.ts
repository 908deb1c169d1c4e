/** The rows of the list and the tabs around it: what opens, what folds, what is copied, and that the keyboard is enough. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Html from "@tallystick/report/Html"
import type { Page } from "playwright-core"
import * as BookSample from "../../reconcile/test/bookSample.ts"
import * as Accessibility from "./support/Accessibility.ts"
import * as BigReport from "./support/BigReport.ts"
import * as Browser from "./support/Browser.ts"

let browser: Browser.Browser
let shown: Browser.Opened

const report = {
  ...BigReport.make(400, 0.75),
  books: BookSample.books,
  identity: { title: "North desk", run: "r3f2a9c41d07be655", madeBy: "desk (claimed)" }
}

beforeAll(async () => {
  browser = await Browser.launch()
  shown = await browser.open(Html.parts(report))
})

afterAll(async () => {
  await browser?.close()
})

/** What is copied, as somebody finds out who pastes it. */
const pasted = async (page: Page): Promise<string> => {
  const search = page.getByLabel("Search")
  await search.focus()
  await page.keyboard.press("ControlOrMeta+v")
  const text = await search.inputValue()
  await search.fill("")
  return text
}

describe("the first screen", () => {
  it("says whose books it is of, which time, by which run, and the five figures", async () => {
    const text = await shown.page.locator("header").innerText()
    assert.include(text, "North desk: 19 to 21 November 2026, UTC")
    assert.include(text, "r3f2a9c41d07be655")
    assert.include(text, "desk (claimed)")
    const figures = await shown.page.locator(".stats dt").allTextContents()
    assert.deepStrictEqual(figures, ["Open items", "Worth", "Match rate", "Oldest item", "Completeness"])
  })

  it("stands above the list, of which the first rows are in view", async () => {
    await shown.page.setViewportSize({ width: 1400, height: 900 })
    const { y = 900 } = await shown.page.locator("[role=row].line").first().boundingBox() ?? {}
    assert.isBelow(y, 900)
  })
})

describe("a row", () => {
  it("opens to what to do, with commands that are copied whole", async () => {
    const { page } = shown
    await page.getByLabel("Code").selectOption("missing-transfer")
    const id = report.outcomes.filter(({ code }) => code === "missing-transfer").map((outcome) => outcome.id)
    await page.locator("[role=row].line").first().click()
    const act = page.getByRole("region", { name: "What to do" })
    assert.isAbove((await act.locator("p").innerText()).length, 20)
    const command = act.locator(".command").first()
    await command.getByRole("button").click()
    await command.getByText("Copied").waitFor()
    const shownText = await command.locator("code").textContent()
    const text = await pasted(page)
    assert.strictEqual(text, shownText)
    assert.isTrue(id.some((one) => text === `tallystick item ${one}`), text)
    await page.getByRole("button", { name: "Reset" }).click()
  })

  it("shows both ends of a long id, which is copied whole by its button and with the text around it", async () => {
    const { page } = shown
    await page.getByLabel("Code").selectOption("missing-transfer")
    await page.locator("[role=row].line").first().click()
    const id = page.locator(".entry .id").first()
    const whole = await id.locator("code").textContent() ?? ""
    const deposits = report.outcomes.flatMap(({ deposits }) => deposits.map((entry) => entry.id))
    assert.include(deposits, whole)
    const width = (await id.locator("code").boundingBox())?.width ?? 1000
    assert.isBelow(width, 200)
    await id.getByRole("button").click()
    await id.getByText("Copied").waitFor()
    assert.strictEqual(await pasted(page), whole)
    await page.locator("[role=row].line").first().click()
    await id.locator("code").evaluate((code) => getSelection()?.selectAllChildren(code))
    await page.keyboard.press("ControlOrMeta+c")
    assert.strictEqual(await pasted(page), whole)
    await page.getByRole("button", { name: "Reset" }).click()
  })

  it("stands for all that is undetermined for one cause, and opens to them by the keyboard", async () => {
    const { page } = shown
    await page.getByLabel("Show").selectOption("undetermined")
    const grid = page.getByRole("treegrid")
    const rows = async () => Number(await grid.getAttribute("aria-rowcount")) - 1
    const folds = await page.locator(".level-1 .title").allTextContents()
    const counts = folds.map((title) => Number(/^\d+/.exec(title)?.[0] ?? 1))
    const all = report.outcomes.filter(({ outcome }) => outcome === "undetermined").length
    assert.isBelow(folds.length, all)
    assert.strictEqual(counts.reduce((sum, count) => sum + count, 0), all)
    const place = counts.findIndex((count) => count > 1)
    await grid.focus()
    await page.keyboard.press("Home")
    for (let step = 0; step < place; step++) await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowRight")
    assert.strictEqual(await rows(), folds.length + (counts[place] ?? 0))
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.locator(".line.level-2.active[aria-expanded=true]").count(), 1)
    await page.locator(".details").waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowLeft")
    assert.strictEqual(await rows(), folds.length)
    await page.getByRole("button", { name: "Reset" }).click()
  })

  it("stays where it is while rows above it turn out to be of another height", async () => {
    const { page } = shown
    await page.getByLabel("Show").selectOption("all")
    const grid = page.getByRole("treegrid")
    await grid.focus()
    await page.keyboard.press("End")
    await page.locator(`.line.active[aria-rowindex='${await grid.getAttribute("aria-rowcount")}']`).waitFor()
    // Rows that were never shown come into view from above; each has another height than was guessed.
    const moved = await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const found: Array<number> = []
      for (let step = 0; step < 12; step++) {
        const rows = Array.from(document.querySelectorAll(".line"))
        const row = rows.find((one) => one.getBoundingClientRect().top > 40)
        const before = row?.getBoundingClientRect().top ?? Number.NaN
        scrollBy(0, -200)
        await frame()
        await frame()
        found.push(Math.round((row?.getBoundingClientRect().top ?? Number.NaN) - before))
      }
      return found
    })
    for (const pixels of moved) assert.approximately(pixels, 200, 2)
    await page.getByRole("button", { name: "Reset" }).click()
  })
})

describe("an opened row", () => {
  for (const [scheme, width] of [["light", 1400], ["dark", 1400], ["light", 400], ["dark", 400]] as const) {
    it(`breaks no rule of accessibility, and scrolls to no side: ${scheme}, ${width} pixels`, async () => {
      const { page } = shown
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      await page.locator(width < 1160 ? ".grid.cards" : ".grid:not(.cards)").waitFor()
      const row = page.locator("[role=row].line", { hasText: "nmatched deposit" }).first()
      await row.click()
      await page.getByRole("region", { name: "What to do" }).waitFor()
      assert.deepStrictEqual(await Accessibility.violations(page), [])
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), width)
      await row.click({ position: { x: 40, y: 12 } })
      await page.locator(".details").waitFor({ state: "detached" })
      await page.setViewportSize({ width: 1400, height: 900 })
      await page.emulateMedia({ colorScheme: "light" })
      await page.locator(".grid:not(.cards)").waitFor()
    })
  }
})

describe("the tabs", () => {
  it("are walked by arrow keys, Home and End, and show one panel each", async () => {
    const { page } = shown
    const chosen = () => page.locator("[role=tab][aria-selected=true]").innerText()
    await page.getByRole("tab").first().focus()
    const names: Array<string> = []
    for (const key of ["ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"]) {
      await page.keyboard.press(key)
      names.push((await chosen()).replace(/\d+( and \d+ of other days)?$/, "").trim())
      assert.strictEqual(await page.locator("[role=tabpanel]:not([hidden])").count(), 1)
      assert.strictEqual(await page.locator("[role=tab]:focus").innerText(), await chosen())
    }
    assert.deepStrictEqual(names, [
      "Control totals",
      "Books",
      "Scope and policy",
      "Breaks",
      "Scope and policy",
      "Breaks"
    ])
  })

  it("are all printed, one below the other, with their titles", async () => {
    const { page } = shown
    await page.emulateMedia({ media: "print" })
    await page.locator("article").first().waitFor()
    const titles = await page.locator("main h2").allInnerTexts()
    assert.deepStrictEqual(titles, [
      "What needs attention",
      "Control totals",
      "Books",
      "Over time",
      "Scope",
      "Coverage",
      "Policy"
    ])
    assert.strictEqual(await page.getByRole("tab").count(), 0)
    await page.emulateMedia({ media: "screen" })
    await page.getByRole("tablist").waitFor()
  })
})

describe("the moments below what was read", () => {
  for (const width of [1400, 800, 400]) {
    it(`stand apart from each other at ${width} pixels`, async () => {
      const { page } = shown
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole("tab", { name: /^Scope/ }).click()
      const boxes = await page.locator(".ticks text").evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => ({ left, right }))
      )
      assert.isAbove(boxes.length, 1)
      for (const [index, { left, right }] of boxes.entries()) {
        assert.isAtLeast(left, boxes[index - 1]?.right ?? 0)
        assert.isAtMost(right, width)
      }
      await page.getByRole("tab", { name: /^Breaks/ }).click()
    })
  }
})

describe("the page", () => {
  it("did nothing in all of this that it must not do", () => {
    assert.deepStrictEqual(shown.complaints, [])
  })
})
