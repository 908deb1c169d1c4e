/** Shared state of the tests of the packed packages; `pack.setup.ts` makes it once. */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

export const libraries = ["core", "reconcile", "report", "archive", "sandbox"] as const

export const packages = [...libraries, "cli"] as const

export type Package = typeof packages[number]

interface Packed {
  readonly tarballs: Readonly<Record<Package, string>>
  /** A folder that npm installed them into, with Effect and TypeScript and nothing else of this workspace. */
  readonly consumer: string
}

declare module "vitest" {
  interface ProvidedContext {
    readonly packed: Packed
  }
}

const inThisPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The folder of this workspace's package. */
export const source = (name: Package): string => inThisPackage(`../packages/${name}`)

/** The oldest Node that the packages admit, and the one that they are made with. */
export const nodes = { "22.19": inThisPackage("node_modules/node22/bin/node"), "24": process.execPath } as const

const required = createRequire(inThisPackage("node_modules/bun-runtime/package.json"))

/** Other runtimes, and how each runs a file. */
export const runtimes = {
  Bun: [required.resolve(`@oven/bun-${process.platform}-${process.arch}/bin/bun`), "run"],
  Deno: [process.execPath, inThisPackage("node_modules/deno-runtime/bin.cjs"), "run", "--allow-all", "--quiet"]
} as const
