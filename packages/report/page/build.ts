/**
 * Builds the page of the HTML report into `src/internal/html/Page.generated.ts`: its script and style as text, with their
 * hashes for the content security policy. The style of the pages of the books goes into `src/internal/booksite/`. Runs when the workspace is installed; again after a change of the page.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Bundle from "./Bundle.ts"
import * as Sources from "./Sources.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const { script, style } = await Bundle.of(here("."))
if (/<\/(?:script|style)|<!--|\r/i.test(script + style)) throw new Error("the page would end its own element")

const notices = Bundle.notices(here("../node_modules"), ["preact", "uplot", "effect"])
if (notices.includes("--")) throw new Error("the notices would end their comment")

/** The style of the pages without a script, which is a file beside them. */
const booksite = ["tokens", "base", "tag", "booksite"]
  .map((name) => readFileSync(here(`./src/styles/${name}.css`), "utf8").replaceAll(/\/\*.*?\*\/\n*/gs, ""))
  .join("\n")

writeFileSync(
  here("../src/internal/booksite/Style.generated.ts"),
  `/** The style of the pages of the books, made by \`page/build.ts\` from the sources beside it. */\n\n${
    Bundle.constant("style", booksite)
  }`
)

const hash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`

writeFileSync(
  here("../src/internal/html/Page.generated.ts"),
  `/** The page of the HTML report, made by \`page/build.ts\` from the sources beside it. */\n\n${
    [
      "/** A digest of the sources it was made from. */\n" + Bundle.constant("sources", Sources.digest()),
      Bundle.constant("script", script),
      Bundle.constant("scriptHash", hash(script)),
      Bundle.constant("style", style),
      Bundle.constant("styleHash", hash(style)),
      "/** The licences of what is in it, as a comment. */\n" + Bundle.constant("notices", `<!--\n${notices}\n-->\n`)
    ].join("\n")
  }`
)
