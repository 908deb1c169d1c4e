/** The modules that a package lets others import, as its sources have them. */
import { globSync } from "node:fs"
import { type Package, source } from "./Packed.ts"

/** Of `@tallystick/core`: `/Amount`, `/BadRecord`, … */
export const of = (name: Package): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: `${source(name)}/src` })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/(^|\/)internal\/|^index\.ts$/.test(file))
    .map((file) => `/${file.replace(/\.ts$/, "")}`)
    .toSorted()
