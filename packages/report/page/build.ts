/**
 * Builds the page of the HTML report into `src/internal/html/Page.generated.ts`: its script and style as text, with their
 * hashes for the content security policy. Runs when the workspace is installed; again after a change of the page.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import * as Sources from "./Sources.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const built = await build({
  root: here("."),
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    write: false,
    target: "es2023",
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: here("src/main.tsx"),
      output: { format: "iife" },
      // Their calls at the top of modules have no effect but their value, which the page does not use.
      treeshake: { manualPureFunctions: ["Schema", "BigDecimal", "Context", "Layer"] }
    }
  }
})

const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
const script = outputs.flatMap((one) => (one.type === "chunk" ? [one.code.trim()] : [])).join("\n")
const style = outputs
  .flatMap((one) => (one.type === "asset" && one.fileName.endsWith(".css") ? [String(one.source).trim()] : []))
  .join("\n")

if (/<\/(?:script|style)|<!--|\r/i.test(script + style)) throw new Error("the page would end its own element")

/** The notices that the licences of what the page contains ask for. */
const notices = ["preact", "uplot", "effect"].map((name) => {
  const text = readFileSync(here(`../node_modules/${name}/LICENSE`), "utf8").trim()
  return `${name}\n\n${text}`
}).join("\n\n")

if (notices.includes("--")) throw new Error("the notices would end their comment")

const hash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`

const constant = (name: string, value: string): string => `export const ${name}: string = ${JSON.stringify(value)}\n`

writeFileSync(
  here("../src/internal/html/Page.generated.ts"),
  `/** The page of the HTML report, made by \`page/build.ts\` from the sources beside it. */\n\n${
    [
      "/** A digest of the sources it was made from. */\n" + constant("sources", Sources.digest()),
      constant("script", script),
      constant("scriptHash", hash(script)),
      constant("style", style),
      constant("styleHash", hash(style)),
      "/** The licences of what is in it, as a comment. */\n" + constant("notices", `<!--\n${notices}\n-->\n`)
    ].join("\n")
  }`
)
