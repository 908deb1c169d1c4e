/** A Monday with 60 breaks, by keyboard alone: each is looked at and decided, the books are brought forward, and the day is closed. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Periods from "@tallystick/archive/Periods"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Day from "../../archive/test/support/periods.ts"
import { deposit, NOW } from "../../archive/test/support/records.ts"
import * as Console from "../test/support/Console.ts"
import * as Browser from "./support/Browser.ts"
import { because, press } from "./support/Hands.ts"

/** Goes on by Tab until an element has the focus, as somebody without a mouse does. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const isThere = () =>
    page.evaluate((name) => {
      const element = document.activeElement
      if (element === document.body) return false
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent
      return label?.startsWith(name) ?? false
    }, name)
  for (let step = 0; step < 60 && !await isThere(); step++) await page.keyboard.press("Tab")
  assert.isTrue(await isThere(), name)
}

describe("a Monday with 60 breaks", () => {
  it.live("ends with the day closed, and nobody touched a mouse", () =>
    Effect.gen(function*() {
      yield* Kept.kept
      const archive = yield* Archive.Archive
      const [from, to] = [NOW - 3 * Kept.HOUR, NOW - 2 * Kept.HOUR]
      yield* archive.deposits.saveSlice({
        from,
        to,
        bad: [],
        records: Array.from(
          { length: 60 },
          (_, place) => deposit({ txId: `break${place}`, amount: `${100 + place}.5`, insertTime: from + place })
        ),
        coverage: [{ operation: "deposits", from, to, readAt: NOW + 6 * Kept.DAY, state: "complete" }]
      })
      yield* Day.bookDay()
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served)
      yield* Effect.promise(async () => {
        await tabTo(page, "Items")
        await press(page, "Enter")
        await page.locator("[role=option].item").first().waitFor()
        const left = await page.locator(".count", { hasText: "items" }).innerText()
        const count = Number(/^\d+/.exec(left)?.[0])
        assert.isAtLeast(count, 60)
        await press(page, "j", "Enter")
        for (let done = 0; done < 10; done++) {
          await press(page, "a")
          await because(page, `the sweeper was down, ${done}`)
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await page.getByText("Accepted 1 item.").waitFor()
        }
        await press(page, " ", "End", "Shift+ ", "a")
        await because(page, "the sweeper was down the whole night")
        await page.getByText(`Accepted ${count - 10} items.`).waitFor()
      })
      yield* Day.bookDay()
      yield* Effect.promise(async () => {
        await page.getByText("Nothing waits.").waitFor()
        await press(page, "Escape")
        await tabTo(page, "Periods")
        await press(page, "Enter")
        await page.getByText("No period was closed yet.").waitFor()
        await tabTo(page, "First day")
        await page.keyboard.type("11142023")
        await tabTo(page, "Last day")
        await page.keyboard.type("11142023")
        await press(page, "Enter")
        await page.getByText("The books are closed through 2023-11-14.").waitFor()
        await page.getByRole("article", { name: "Closed through 2023-11-14" }).waitFor()
        await tabTo(page, "What became of it")
        await press(page, "Enter")
        await page.getByText("Nothing broke it since.").waitFor()
      })
      const closes = yield* Periods.Periods.use(({ closes }) => closes)
      assert.deepStrictEqual(closes.map(({ close }) => [close.through, close.from]), [["2023-11-14", Day.day.from]])
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))
})

describe("a period", () => {
  it.live("is refused with what is lacking, closed with what waits carried openly, and reopened with a reason", () =>
    Effect.gen(function*() {
      yield* Kept.kept
      yield* Day.bookDay()
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served, "periods")
      yield* Effect.promise(async () => {
        await page.getByLabel("First day").fill("2023-11-14")
        await page.getByLabel("Last day").fill("2023-11-14")
        await page.getByRole("button", { name: "Close the books" }).click()
        await page.getByRole("status").filter({ hasText: "carried" }).waitFor()
        assert.strictEqual(await page.getByRole("article").count(), 0)
        await page.getByLabel("Carry openly what waits").check()
        await page.getByRole("button", { name: "Close the books" }).click()
        const article = page.getByRole("article", { name: "Closed through 2023-11-14" })
        await article.getByText("stands").waitFor()
        await article.getByRole("button", { name: "What it carried" }).click()
        const carried = article.getByRole("region", { name: "Carried openly" })
        await carried.getByText("4 entries were carried openly, as they stood then.").waitFor()
        const entries = await carried.getByRole("listitem").allInnerTexts()
        assert.strictEqual(entries.length, 4)
        assert.include(entries.join(), "was open (unmatched")
        const [link = ""] = await carried.getByRole("link").evaluateAll((all) =>
          all.map((one) => one.getAttribute("href"))
        )
        assert.match(String(link), /^#\/items\?text=./)
        await article.getByRole("button", { name: "Reopen" }).click()
        await article.getByLabel("Why is it reopened?").fill("a deposit came late")
        await page.keyboard.press("Enter")
        await article.getByText("clerk reopened it: a deposit came late").waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))
})
