/** Packs the packages as they are published, and installs them with npm into an empty project. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import { libraries, nodes, type Package, packages, source } from "./Packed.ts"
import * as Process from "./Process.ts"
import * as Subpaths from "./Subpaths.ts"

const workspace = fileURLToPath(new URL("../..", import.meta.url))
const programs = fileURLToPath(new URL("../consumer", import.meta.url))

/** Returns the version of this workspace's own package. */
const installed = (name: string): string =>
  JSON.parse(readFileSync(join(workspace, "node_modules", name, "package.json"), "utf8")).version

/** Reads the program that a package's README shows. */
const program = (name: Package): string => {
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(source(name), "README.md"), "utf8")) ?? []
  if (code === undefined) throw new Error(`the README of ${name} shows no program`)
  return code
}

/** Imports every public name, so that the compiler looks at every declaration. */
const everything = libraries.flatMap((name) => ["", ...Subpaths.of(name)].map((path) => `@tallystick/${name}${path}`))
  .map((specifier, index) => `export * as _${index} from "${specifier}"\n`).join("")

const write = (folder: string): void => {
  mkdirSync(join(folder, "src"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }))
  for (const name of libraries) writeFileSync(join(folder, "src", `readme-${name}.ts`), program(name))
  for (const name of readdirSync(programs)) copyFileSync(join(programs, name), join(folder, "src", name))
  writeFileSync(join(folder, "src", "everything.ts"), everything)
}

export default async (project: TestProject): Promise<() => void> => {
  const root = mkdtempSync(join(tmpdir(), "tallystick-packages-"))
  const consumer = join(root, "consumer")
  const clear = (): void => rmSync(root, { recursive: true, force: true })
  try {
    await Process.succeed("pnpm", ["-r", "--filter", "./packages/*", "pack", "--pack-destination", root], {
      cwd: workspace
    })
    const tarball = (name: Package): string =>
      join(
        root,
        `tallystick-${name}-${JSON.parse(readFileSync(join(source(name), "package.json"), "utf8")).version}.tgz`
      )
    mkdirSync(consumer)
    write(consumer)
    await Process.succeed(
      "npm",
      [
        "install",
        "--engine-strict",
        "--no-audit",
        "--no-fund",
        ...packages.map(tarball),
        ...["effect", "typescript"].map((name) => `${name}@${installed(name)}`)
      ],
      { cwd: consumer, env: Process.withNode(nodes["22.19"]) }
    )
    const [archive, cli, core, reconcile, report, sandbox] = [
      tarball("archive"),
      tarball("cli"),
      tarball("core"),
      tarball("reconcile"),
      tarball("report"),
      tarball("sandbox")
    ]
    project.provide("packed", { consumer, tarballs: { archive, cli, core, reconcile, report, sandbox } })
  } catch (error) {
    clear()
    throw error
  }
  return clear
}
