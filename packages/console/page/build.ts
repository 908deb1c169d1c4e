/**
 * Builds the console's page into `src/internal/page/Page.generated.ts`: its script and style as text, which the console serves as files of
 * their own. Runs when the workspace is installed; again after a change of the page.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
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

/** The notices that the licences of what the page contains ask for. */
const notices = ["preact", "effect"].map((name) => {
  const text = readFileSync(here(`../node_modules/${name}/LICENSE`), "utf8").trim()
  return `${name}\n\n${text}`
}).join("\n\n")

if (notices.includes("*/")) throw new Error("the notices would end their comment")

const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
const script = outputs.flatMap((one) => (one.type === "chunk" ? [one.code.trim()] : [])).join("\n")
const style = outputs
  .flatMap((one) => (one.type === "asset" && one.fileName.endsWith(".css") ? [String(one.source).trim()] : []))
  .join("\n")

const constant = (name: string, value: string): string => `export const ${name}: string = ${JSON.stringify(value)}\n`

mkdirSync(here("../src/internal/page"), { recursive: true })
writeFileSync(
  here("../src/internal/page/Page.generated.ts"),
  `/** The console's page, made by \`page/build.ts\` from the sources beside it. */\n\n${
    [
      "/** A digest of the sources it was made from. */\n" + constant("sources", Sources.digest()),
      "/** The script, with the licences of what is in it. */\n" + constant("script", `/*\n${notices}\n*/\n${script}`),
      constant("style", style)
    ].join("\n")
  }`
)
