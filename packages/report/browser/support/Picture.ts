/** Pictures of a page for the documents. They are small: WebP, which Chromium writes only when it is asked as its debugger does. */
import { writeFileSync } from "node:fs"
import type { Page } from "playwright-core"

/** Writes what is in view. */
export const take = async (page: Page, path: string): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 })
  await session.detach()
  writeFileSync(path, data, "base64")
}
