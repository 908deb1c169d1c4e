/** What screens say over an archive as a desk has it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Console from "../test/support/Console.ts"
import * as Browser from "./support/Browser.ts"
import * as Day from "./support/Day.ts"

describe("the screens of a day", () => {
  it.live("tell worths for a glance, and how long before or after the other side a candidate was", () =>
    Effect.gen(function*() {
      yield* Day.filled
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served)
      yield* Effect.promise(async () => {
        await page.getByText("Worth is at the prices").waitFor()
        const ages = await page.getByRole("region", { name: "Breaks by age" }).getByRole("row").allInnerTexts()
        assert.match(ages[1] ?? "", /^up to 1 d\s+\d+\s+(?:at most )?[\d,\s]+\.\d\d\s+\d+$/)
        await page.goto(`${served.origin}/#/items?code=missing-transfer`)
        const item = page.locator("[role=option].item").first()
        await item.waitFor()
        await item.locator(".worth", { hasText: /worth [\d,]+\.\d\d USD$/ }).waitFor()
        await item.click()
        const candidates = page.getByRole("region", { name: "Candidates" })
        await candidates.getByText(/^\d+ h \d+ min before the deposit/).first().waitFor()
        await candidates.getByText(/^\d+ h \d+ min after the deposit/).first().waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer()), Day.atThatTime))
})
