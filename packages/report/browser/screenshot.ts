/** Makes the picture of the README, `docs/screenshots/report.png`: `pnpm screenshot`, after the page has changed. */
import { fileURLToPath } from "node:url"
import * as Html from "../src/Html.ts"
import * as BigReport from "./support/BigReport.ts"
import * as Browser from "./support/Browser.ts"

const path = fileURLToPath(new URL("../../../docs/screenshots/report.png", import.meta.url))

const prices = new Map([["BTC", "65000.12"], ["ETH", "3200.5"], ["USDT", "1"], ["DOGE", "0.31"]])

const browser = await Browser.launch()
const { page } = await browser.open(Html.parts(BigReport.make(3000, 0.995), { prices }))
await page.setViewportSize({ width: 1440, height: 2180 })
await page.screenshot({ path })
await browser.close()
