/**
 * Builds the console's page into `src/internal/page/Page.generated.ts`: its script and style as text, which the console serves as files of
 * their own. Runs when the workspace is installed; again after a change of the page.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Bundle from "../../report/page/Bundle.ts"
import * as Sources from "./Sources.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const { script, style } = await Bundle.of(here("."))

const notices = Bundle.notices(here("../node_modules"), ["preact", "effect"])
if (notices.includes("*/")) throw new Error("the notices would end their comment")

mkdirSync(here("../src/internal/page"), { recursive: true })
writeFileSync(
  here("../src/internal/page/Page.generated.ts"),
  `/** The console's page, made by \`page/build.ts\` from the sources beside it. */\n\n${
    [
      "/** A digest of the sources it was made from. */\n" + Bundle.constant("sources", Sources.digest()),
      "/** The script, with the licences of what is in it. */\n" +
      Bundle.constant("script", `/*\n${notices}\n*/\n${script}`),
      Bundle.constant("style", style)
    ].join("\n")
  }`
)
