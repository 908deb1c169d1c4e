/** A hundred thousand items: the page reads them as somebody scrolls, and shows few at once. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import type { Page } from "playwright-core"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Console from "../test/support/Console.ts"
import * as People from "../test/support/People.ts"
import { broken } from "./support/Breaks.ts"
import * as Browser from "./support/Browser.ts"
import { press } from "./support/Hands.ts"
import * as Many from "./support/Many.ts"

const COUNT = 100_000

const MEBIBYTE = 2 ** 20

/** What the tab holds: the heap of its scripts after a collection, MiB, and nodes of its document. */
const held = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = await session.send("Runtime.getHeapUsage")
  await session.detach()
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length)
  return { heap: usedSize / MEBIBYTE, nodes }
}

describe("a hundred thousand items", () => {
  it.live("are scrolled, found and counted, and the tab stays small", () =>
    Effect.gen(function*() {
      const file = join(yield* People.folder, "archive.db")
      yield* Effect.gen(function*() {
        yield* broken(1)
        yield* Many.copied(file, yield* Kept.idOf("break0"), COUNT)
        const served = yield* Console.atDesk()
        const browser = yield* Browser.launch
        const { complaints, page } = yield* Browser.openPrinted(browser, served, "items?by=difference")
        yield* Effect.promise(async () => {
          const first = page.locator("[role=option].item").first()
          await page.getByText("100,005 items").waitFor()
          await first.waitFor()
          assert.include(await first.innerText(), "100000.5")
          await press(page, "j")
          for (let pages = 1; pages <= 10; pages++) {
            await press(page, "End")
            await page.locator(`.item.active[aria-posinset="${pages * 200}"]`).waitFor()
            const next = page.locator(`.item[aria-posinset="${pages * 200 + 1}"]`)
            await next.waitFor()
          }
          const scrolled = await held(page)
          assert.isBelow(scrolled.heap, 30)
          assert.isBelow(scrolled.nodes, 2000)
          await press(page, "k", "Enter")
          await page.getByRole("region", { name: "The item" }).getByText(`Difference: ${COUNT - 1998}.5`).waitFor()
          await press(page, "Escape", "/")
          await page.keyboard.type(Many.entryOf(4711))
          await page.getByText(/^1 item$/).waitFor()
          assert.include(await first.innerText(), "4711.5")
          await page.getByLabel(/^Search/).fill("")
          await page.getByText("100,005 items").waitFor()
          await page.getByRole("button", { name: "Accept all of the filter" }).click()
          await page.getByRole("dialog", { name: "Accept 100,005 items" }).waitFor()
          const all = await held(page)
          assert.isBelow(all.heap, 100)
          assert.isBelow(all.nodes, 2000)
        })
        assert.deepStrictEqual(complaints, [])
      }).pipe(Effect.provide(Archive.Archive.layerSqlite({ file })))
    }))
})
