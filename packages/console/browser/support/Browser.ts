/** Chromium in front of a console, and what the page did that it must not do. */
import axe from "axe-core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import type * as ConsoleServer from "../../src/ConsoleServer.ts"

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
  /** Errors of the page, violations of the security policy, dialogs, and requests to anywhere but the console. */
  readonly complaints: ReadonlyArray<string>
}

/** A refusal that the page expects is an error in the browser's own log. */
const isExpected = (text: string): boolean => text.startsWith("Failed to load resource: ")

const watch = (page: Page, origin: string): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  page.on("console", (message) => {
    const isBad = message.type() === "error" || message.type() === "warning"
    if (isBad && !isExpected(message.text())) complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`asked for ${request.url()}`)
  })
  page.on("dialog", (dialog) => {
    complaints.push(`said ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

/** A browser of its own, with nothing in it; it is closed with the scope. */
export const launch = Effect.acquireRelease(
  Effect.promise(async () => {
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
      viewport: { width: 1400, height: 900 }
    })
    context.setDefaultTimeout(60_000)
    return { context, folder }
  }),
  ({ context, folder }) =>
    Effect.promise(async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    })
)

type Launched = Effect.Success<typeof launch>

/** Opens an address of the console in a new tab. */
export const open = ({ context }: Launched, { origin }: Pick<ConsoleServer.Served, "origin">, path: string) =>
  Effect.promise(async (): Promise<Opened> => {
    const page = await context.newPage()
    const complaints = watch(page, origin)
    await page.goto(origin + path)
    return { page, complaints }
  })

/** The part of the printed address that stands behind the origin. */
export const printed = ({ local, opening }: ConsoleServer.Served): string =>
  (opening === undefined ? "" : Redacted.value(opening)).slice(local.length)

/** Opens the console by the address that it prints, and goes to a screen. */
export const openPrinted = (browser: Launched, served: ConsoleServer.Served, screen = "") =>
  Effect.gen(function*() {
    const opened = yield* open(browser, served, printed(served))
    yield* Effect.promise(async () => {
      await opened.page.getByRole("navigation").waitFor()
      if (screen !== "") await opened.page.goto(`${served.origin}/#/${screen}`)
    })
    return opened
  })

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** What the rules of accessibility find wrong. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Through the debugger, since the page lets no script in.
  await page.evaluate(axe.source)
  const found: ReadonlyArray<Violation> = await page.evaluate("axe.run().then(({ violations }) => violations)")
  return found.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join("\n")}`
  )
}

/** What is wrong with a screen, light and dark, at three widths: what rules of accessibility find, and what hangs out of the view. */
export const faults = (page: Page) =>
  Effect.promise(async () => {
    const found: Array<string> = []
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1400, 800, 400]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        if (wide > width) found.push(`${width} px, ${colorScheme}: the page is ${wide} px wide`)
        found.push(...(await violations(page)).map((text) => `${width} px, ${colorScheme}: ${text}`))
      }
    }
    return found
  })
