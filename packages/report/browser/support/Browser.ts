/** Opens reports from disk in Chromium. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Chromium from "./Chromium.ts"

export type { Opened } from "./Chromium.ts"

export interface Browser {
  /** Writes the parts into a file, and opens it from disk. */
  readonly open: (parts: Iterable<string>) => Promise<Chromium.Opened>
  readonly close: () => Promise<void>
}

export const launch = async (): Promise<Browser> => {
  const { close, context, folder } = await Chromium.start(1440)
  let files = 0
  return {
    open: async (parts) => {
      const file = join(folder, `report-${++files}.html`)
      writeFileSync(file, "")
      for (const part of parts) writeFileSync(file, part, { flag: "a" })
      const opened = await Chromium.tab(context, { request: (_, isNavigation) => isNavigation })
      await opened.page.goto(pathToFileURL(file).href)
      await opened.page.locator("#page > main [role=tablist], #page > [role=alert]").first().waitFor()
      return opened
    },
    close
  }
}
