/** Makes the pictures of the documents, `docs/screenshots/report.webp` and `report-narrow.webp`: `pnpm screenshot`, after the page has changed. */
import { fileURLToPath } from "node:url"
import * as BookSample from "../../reconcile/test/bookSample.ts"
import * as Html from "../src/Html.ts"
import * as BigReport from "./support/BigReport.ts"
import * as Browser from "./support/Browser.ts"
import * as Picture from "./support/Picture.ts"

const path = (name: string): string => fileURLToPath(new URL(`../../../docs/screenshots/${name}`, import.meta.url))

const prices = new Map([["BTC", "0.0065"], ["ETH", "0.0032"], ["USDT", "0.01"]])

const report = {
  ...BigReport.make(3000, 0.995),
  books: { ...BookSample.valued, rollForward: BookSample.books.rollForward.slice(0, 2) },
  identity: {
    title: "North desk",
    exchange: "api.exchange.example",
    run: "r3f2a9c41d07be655",
    ledger: { number: 12, id: BookSample.books.execution.id }
  }
}

const browser = await Browser.launch()
const { page } = await browser.open(Html.parts(report, { prices, currency: "USD" }))
await page.setViewportSize({ width: 1400, height: 1180 })
await page.locator("[role=row].line").nth(1).click()
await page.locator(".details").waitFor()
await Picture.take(page, path("report.webp"))
await page.setViewportSize({ width: 400, height: 1400 })
await page.locator(".grid.cards").waitFor()
await page.emulateMedia({ colorScheme: "dark" })
await Picture.take(page, path("report-narrow.webp"))
await browser.close()
