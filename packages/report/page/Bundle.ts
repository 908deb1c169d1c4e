/** Bundles a page of Preact into one script and one style. The console's page is built by it too. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "vite"

export interface Bundle {
  readonly script: string
  readonly style: string
}

/** Bundles `src/main.tsx` of a folder. */
export const of = async (root: string): Promise<Bundle> => {
  const built = await build({
    root,
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
        input: join(root, "src/main.tsx"),
        output: { format: "iife" },
        // Their calls at the top of modules have no effect but their value, which the page does not use.
        treeshake: { manualPureFunctions: ["Schema", "BigDecimal", "Context", "Layer"] }
      }
    }
  })
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
  return {
    script: outputs.flatMap((one) => (one.type === "chunk" ? [one.code.trim()] : [])).join("\n"),
    style: outputs
      .flatMap((one) => (one.type === "asset" && one.fileName.endsWith(".css") ? [String(one.source).trim()] : []))
      .join("\n")
  }
}

/** Gives the notices that the licences of these packages ask for; `modules` is the folder that holds the packages. */
export const notices = (modules: string, packages: ReadonlyArray<string>): string =>
  packages.map((name) => `${name}\n\n${readFileSync(join(modules, name, "LICENSE"), "utf8").trim()}`).join("\n\n")

/** Writes a constant of a generated module. */
export const constant = (name: string, value: string): string =>
  `export const ${name}: string = ${JSON.stringify(value)}\n`

/** SHA-256 of the names and texts of all files in these folders, to tell whether a page is older than they are. */
export const digest = (root: string, folders: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const folder of folders) {
    const within = join(root, folder)
    const files = readdirSync(within, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    for (const path of files.map(({ name, parentPath }) => join(parentPath, name)).toSorted()) {
      hash.update(`${folder}${path.slice(within.length)}\0${readFileSync(path, "utf8")}\0`)
    }
  }
  return hash.digest("hex")
}
