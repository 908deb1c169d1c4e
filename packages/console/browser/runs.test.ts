/** Runs, and what changed between two of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BookDay from "../../archive/test/support/books.ts"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Comparable from "../page/src/runs/Comparable.ts"
import * as Console from "../test/support/Console.ts"
import * as Browser from "./support/Browser.ts"
import * as Day from "./support/Day.ts"

describe("runs", () => {
  it("are compared, before anybody chose, where two are about the same time: the last ones of all that are", () => {
    const run = (id: string, from: number, to: number) => ({ id, range: { from, to } })
    const [monday, tuesday, again] = [run("monday", 0, 10), run("tuesday", 10, 20), run("again", 5, 10)]
    assert.deepStrictEqual(Comparable.pair([tuesday, again, monday]), ["monday", "again"])
    assert.deepStrictEqual(Comparable.pair([{ id: "all", range: null }, tuesday, monday]), ["tuesday", "all"])
    assert.isUndefined(Comparable.pair([tuesday, monday]))
  })

  it.live("are listed, and any two are compared entry by entry", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* Kept.decide([yield* Kept.link("near", ["t1"])])
      yield* BookDay.book()
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served, "runs")
      yield* Effect.promise(async () => {
        await page.getByText("2 entries changed.").waitFor()
        const changes = await page.getByRole("region", { name: "What changed" }).innerText()
        assert.include(changes, "was open (unmatched transfer) and is decided (match made by hand)")
        const earlier = await page.getByRole("region", { name: "What changed" }).locator("select").first().inputValue()
        await page.getByRole("region", { name: "What changed" }).locator("select").last().selectOption(earlier)
        await page.getByText("No entry that both are about changed.").waitFor()
        assert.strictEqual(await page.getByRole("article").count(), 2)
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("show their outcomes a page at a time, all or those of one kind, and lead to the items that wait", () =>
    Effect.gen(function*() {
      yield* Day.filled
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served, "runs")
      yield* Effect.promise(async () => {
        await page.getByRole("link", { name: "Its outcomes" }).first().click()
        const region = page.getByRole("region", { name: "Outcomes of the run" })
        const outcomes = region.locator(".outcomes > li")
        const ids = async () => {
          await outcomes.first().waitFor()
          return outcomes.evaluateAll((all) => all.map((one) => one.querySelector("code")?.textContent ?? ""))
        }
        const first = await ids()
        assert.strictEqual(first.length, 50)
        await region.getByRole("button", { name: "Next page" }).click()
        await region.getByText("Page 2").waitFor()
        const second = await ids()
        assert.strictEqual(new Set([...first, ...second]).size, 100)
        await region.getByRole("button", { name: "Page before" }).click()
        await region.getByText("Page 1").waitFor()
        assert.deepStrictEqual(await ids(), first)
        await region.getByLabel("Kind").selectOption("missing-transfer")
        await region.getByText("unmatched deposit").nth(1).waitFor()
        const kinds = await outcomes.locator("strong").allTextContents()
        assert.deepStrictEqual([...new Set(kinds)], ["unmatched deposit"])
        assert.include(page.url(), "code=missing-transfer")
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      yield* Effect.promise(async () => {
        await page.getByRole("link", { name: "Look for it in Items" }).first().click()
        await page.locator("[role=option].item").first().waitFor()
        assert.strictEqual(await page.locator("[role=option].item").count(), 1)
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer()), Day.atThatTime))
})
