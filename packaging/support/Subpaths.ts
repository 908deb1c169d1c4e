/** The modules that a package lets others import, as its sources have them. */
import { globSync } from "node:fs"
import { type Package, source } from "./Packed.ts"

const all = (name: Package): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: `${source(name)}/src` })
    .map((file) => `/${file.replaceAll("\\", "/").replace(/\.ts$/, "")}`)
    .toSorted()

/** Modules that are parts of other modules. */
const isHidden = (path: string): boolean => /^\/internal\/|^\/(?:rows|text)\/|^\/index$/.test(path)

/** Of `@tallystick/core`: `/Amount`, `/BadRecord`, … */
export const of = (name: Package): ReadonlyArray<string> => all(name).filter((path) => !isHidden(path))

/** The modules that nobody else may import. */
export const hidden = (name: Package): ReadonlyArray<string> => all(name).filter(isHidden)
