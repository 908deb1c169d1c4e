/** Chromium, and what a page did that it must not do. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type BrowserContext, chromium, type Page } from "playwright-core"

const executablePath = process.env["TALLYSTICK_CHROMIUM"] ?? "/usr/bin/chromium"

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

export interface Opened {
  readonly page: Page
  /** Errors, warnings, violations of the security policy, dialogs, and requests for anything but the file. */
  readonly complaints: ReadonlyArray<string>
}

export interface Browser {
  /** Writes the parts into a file, and opens it from disk. */
  readonly open: (parts: Iterable<string>) => Promise<Opened>
  readonly close: () => Promise<void>
}

const watch = (page: Page): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("request", (request) => {
    if (!request.isNavigationRequest()) complaints.push(`asked for ${request.url()}`)
  })
  page.on("dialog", (dialog) => {
    complaints.push(`said ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

export const launch = async (): Promise<Browser> => {
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no browser at ${executablePath}. Install one (Debian: apt-get install chromium), or say where it is: TALLYSTICK_CHROMIUM.`
    )
  }
  const folder = mkdtempSync(join(tmpdir(), "tallystick-browser-"))
  const context: BrowserContext = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    headless: true,
    args: flags,
    viewport: { width: 1440, height: 900 }
  })
  let files = 0
  return {
    open: async (parts) => {
      const file = join(folder, `report-${++files}.html`)
      writeFileSync(file, "")
      for (const part of parts) writeFileSync(file, part, { flag: "a" })
      const page = await context.newPage()
      const complaints = watch(page)
      await page.goto(pathToFileURL(file).href)
      await page.locator("#page > main [role=tablist], #page > [role=alert]").first().waitFor()
      return { page, complaints }
    },
    close: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
