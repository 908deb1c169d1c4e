/** Runs, and what changed between two of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BookDay from "../../archive/test/support/books.ts"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Comparable from "../page/src/runs/Comparable.ts"
import * as Console from "../test/support/Console.ts"
import * as Browser from "./support/Browser.ts"

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
})
