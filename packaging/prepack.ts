/**
 * Runs before a package is packed, in the package's folder. It copies the changelog, and refuses if a file is not built that
 * the manifest promises or that a source compiles to. Without it npm packs whatever happens to be there.
 */
import { copyFileSync, existsSync, globSync, readFileSync } from "node:fs"
import { normalize } from "node:path"
import { fileURLToPath } from "node:url"

interface Manifest {
  readonly name: string
  readonly files: ReadonlyArray<string>
  readonly publishConfig: {
    readonly exports: Readonly<Record<string, string | null>>
    readonly bin?: Readonly<Record<string, string>>
  }
}

const { files, name, publishConfig }: Manifest = JSON.parse(readFileSync("package.json", "utf8"))

/** The file that each source compiles to, where the sources are packed too. */
const compiled = globSync(files.filter((pattern) => pattern.startsWith("src/"))).flatMap((source) =>
  [".js", ".d.ts"].map((ending) => source.replace(/^src/, "dist").replace(/\.ts$/, ending))
)

const promised = [...Object.values(publishConfig.exports), ...Object.values(publishConfig.bin ?? {})]
  .flatMap((path) => path === null || path.includes("*") ? [] : [normalize(path)])

const lacking = [...promised, ...files.filter((path) => !path.includes("*") && path !== "CHANGELOG.md"), ...compiled]
  .filter((path) => !existsSync(path))

if (lacking.length > 0) {
  process.stderr.write(`${name} is not built: it lacks ${lacking.slice(0, 3).join(", ")}; pnpm build makes it\n`)
  process.exit(1)
}
copyFileSync(fileURLToPath(new URL("../CHANGELOG.md", import.meta.url)), "CHANGELOG.md")
