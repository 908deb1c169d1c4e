/** Chromium with a profile of its own, and what a page did that it must not do. The console's tests use it too. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
  /** Errors, warnings, violations of the security policy, dialogs, and requests that the page may not make. */
  readonly complaints: ReadonlyArray<string>
}

export interface Started {
  readonly context: BrowserContext
  /** The folder of this browser; it is gone when it is closed. */
  readonly folder: string
  readonly close: () => Promise<void>
}

/** Starts a browser whose window has this width, in pixels. It may take any certificate. */
export const start = async (width: number, { ignoreHTTPSErrors = false } = {}): Promise<Started> => {
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no browser at ${executablePath}. Install one (Debian: apt-get install chromium), or say where it is: TALLYSTICK_CHROMIUM.`
    )
  }
  const folder = mkdtempSync(join(tmpdir(), "tallystick-browser-"))
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    headless: true,
    args: flags,
    ignoreHTTPSErrors,
    viewport: { width, height: 900 }
  })
  return {
    context,
    folder,
    close: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** What a page may do: requests to an address, and messages in the browser's log. */
export interface Allowed {
  readonly request: (url: string, isNavigation: boolean) => boolean
  readonly message?: (text: string) => boolean
}

/** Opens a tab and collects what its page does that is not allowed. */
export const tab = async (context: BrowserContext, { message = () => false, request }: Allowed): Promise<Opened> => {
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (said) => {
    const isBad = said.type() === "error" || said.type() === "warning"
    if (isBad && !message(said.text())) complaints.push(said.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("request", (asked) => {
    if (!request(asked.url(), asked.isNavigationRequest())) complaints.push(`asked for ${asked.url()}`)
  })
  page.on("dialog", (dialog) => {
    complaints.push(`said ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, complaints }
}
