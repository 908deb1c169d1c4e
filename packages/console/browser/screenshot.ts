/** Makes the pictures of the console in `docs/screenshots`: `pnpm screenshot`, after the page has changed. */
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import * as Picture from "../../report/browser/support/Picture.ts"
import * as Console from "../test/support/Console.ts"
import * as Browser from "./support/Browser.ts"
import * as Day from "./support/Day.ts"

const path = (name: string): string =>
  fileURLToPath(new URL(`../../../docs/screenshots/console-${name}.webp`, import.meta.url))

const program = Effect.gen(function*() {
  yield* Day.filled
  const served = yield* Console.atDesk()
  const browser = yield* Browser.launch
  const { page } = yield* Browser.openPrinted(browser, served)
  const item = page.locator("[role=option].item")
  yield* Effect.promise(async () => {
    await page.clock.setFixedTime(Day.NOW)
    await page.reload()
    await page.setViewportSize({ width: 1400, height: 640 })
    await page.getByText("Worth is at the prices").waitFor()
    await Picture.take(page, path("overview"))
    await page.goto(`${served.origin}/#/items`)
    await page.setViewportSize({ width: 1400, height: 760 })
    await item.first().waitFor()
    await Picture.take(page, path("items"))
    await item.nth(3).click()
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.getByText("Might belong to").waitFor()
    await Picture.take(page, path("item"))
  })
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Console.layer()), Day.atThatTime))
