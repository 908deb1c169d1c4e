/** The sources that the page is built from, to tell whether it is older than they are. */
import { fileURLToPath } from "node:url"
import * as Bundle from "../../report/page/Bundle.ts"

/** The page's own, the pieces and styles that it shares with the report's page, and the description of what the console answers. */
const folders = [
  "src",
  "../../report/page/src/components",
  "../../report/page/src/charts",
  "../../report/page/src/styles",
  "../src/internal/api"
]

export const digest = (): string => Bundle.digest(fileURLToPath(new URL(".", import.meta.url)), folders)
