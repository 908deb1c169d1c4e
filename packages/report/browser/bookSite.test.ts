/** The pages of the books, opened from disk: they are styled, ask for nothing else, and can be used by everybody at any width. */
import { assert, describe, it } from "@effect/vitest"
import * as BookSite from "@tallystick/report/BookSite"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as SiteSample from "../test/support/SiteSample.ts"
import * as Accessibility from "./support/Accessibility.ts"
import * as Chromium from "./support/Chromium.ts"

/** Writes a site. */
const written = (folder: string, text: string): void => {
  const { days, index, look, story } = SiteSample.of(text)
  const states = ["open", "matched"] as const
  const pages = new Map([
    ["index.html", BookSite.index(index, look)],
    ...days.map((day) => [`days/${day.day}.html`, BookSite.day(day, look)] as const),
    ...states.map((state) => [`items/${state}.html`, BookSite.item(story(state), look)] as const),
    ["items/unknown.html", BookSite.unknownItem("i1111111111111111", look)]
  ])
  for (const name of ["days", "items"]) mkdirSync(join(folder, name), { recursive: true })
  for (const [name, page] of pages) writeFileSync(join(folder, name), page)
  writeFileSync(join(folder, BookSite.style.name), BookSite.style.text)
}

const widths = [400, 800, 1400]

describe("the pages of the books in a browser", () => {
  it("can be used by everybody, in light and dark and at any width, whatever strangers wrote", async () => {
    const { close, context, folder } = await Chromium.start(1400)
    try {
      const site = join(folder, "site")
      const hostile = `<img src=x onerror="alert(1)">${"long".repeat(40)}`
      const { complaints, page } = await Chromium.tab(context, {
        request: (url) => url.startsWith("file:"),
        // The rules of accessibility ask for the style once more, which the page forbids; itself it has no script.
        message: (text) => /^Connecting to 'file:.*tallystick\.css'|^Couldn't load preload assets/.test(text)
      })
      written(site, hostile)
      for (const name of ["index.html", "days/2026-11-16.html", "items/open.html", "items/unknown.html"]) {
        await page.goto(pathToFileURL(join(site, name)).href)
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 })
            const seen = `${name} at ${width} px, ${colorScheme}`
            assert.deepStrictEqual(await Accessibility.violations(page), [], seen)
            const wider = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
            assert.strictEqual(wider, 0, seen)
            const out = await page.evaluate<number>(
              "[...document.querySelectorAll('.stacks')].filter((one) => " +
                "one.scrollWidth > one.parentElement.clientWidth).length"
            )
            if (width === 400) assert.strictEqual(out, 0, `${seen}: nothing of an item is out of sight`)
          }
        }
        const ground = await page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor")
        assert.strictEqual(ground, "rgb(15, 19, 25)", `${name} has its style`)
        assert.strictEqual(await page.locator("img, script").count(), 0)
      }
      assert.deepStrictEqual(complaints, [])
    } finally {
      await close()
    }
  }, 120_000)

  it("lead from the calendar to a day, from there to an item, and back", async () => {
    const { close, context, folder } = await Chromium.start(800)
    try {
      const site = join(folder, "site")
      written(site, "plain")
      const { page } = await Chromium.tab(context, { request: () => true })
      await page.goto(pathToFileURL(join(site, "index.html")).href)
      await page.getByRole("link", { name: "16" }).first().click()
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), "Monday 16 November 2026, UTC")
      assert.match(await page.getByRole("main").innerText(), /1 break of this day is open/)
      await page.getByRole("link", { name: "The books of plain" }).click()
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).textContent(), "The books of plain")
    } finally {
      await close()
    }
  })
})
