/** Chromium in front of a console, and what the page did that it must not do. */
import axe from "axe-core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Page } from "playwright-core"
import * as Chromium from "../../../report/browser/support/Chromium.ts"
import type * as ConsoleServer from "../../src/ConsoleServer.ts"

/** A refusal that the page expects is an error in the browser's own log. */
const isExpected = (text: string): boolean => text.startsWith("Failed to load resource: ")

const launching = (options: Parameters<typeof Chromium.start>[1]) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const started = await Chromium.start(1400, options)
      started.context.setDefaultTimeout(60_000)
      return started
    }),
    ({ close }) => Effect.promise(close)
  )

/** A browser of its own, with nothing in it; it is closed with the scope. */
export const launch = launching({})

/** A browser that takes any certificate. */
export const launchTrusting = launching({ ignoreHTTPSErrors: true })

type Launched = Effect.Success<typeof launch>

/** Opens an address of the console in a new tab, which may ask nobody but the console. */
export const open = ({ context }: Launched, { origin }: Pick<ConsoleServer.Served, "origin">, path: string) =>
  Effect.promise(async () => {
    const opened = await Chromium.tab(context, {
      request: (url) => url.startsWith(`${origin}/`),
      message: isExpected
    })
    await opened.page.goto(origin + path)
    return opened
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
