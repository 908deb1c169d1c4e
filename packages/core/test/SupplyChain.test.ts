/** What somebody who installs a package gets with it: the whole list, held against package.json and against the sources. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { fileURLToPath } from "node:url"

interface Allowed {
  readonly dependencies: ReadonlyArray<string>
  readonly peers: ReadonlyArray<string>
  /** What is a part of the published files: whoever installs the package installs none of it. */
  readonly bundled?: ReadonlyArray<string>
  /** Whether the sources may import what Node brings. */
  readonly node: boolean
}

const allowed: Readonly<Record<string, Allowed>> = {
  core: { dependencies: [], peers: ["effect"], node: false },
  reconcile: { dependencies: ["@tallystick/core"], peers: ["effect"], node: false },
  report: { dependencies: ["@tallystick/core", "@tallystick/reconcile", "fflate"], peers: ["effect"], node: false },
  archive: {
    dependencies: ["@effect/sql-pg", "@tallystick/core", "@tallystick/reconcile"],
    peers: ["effect"],
    node: true
  },
  sandbox: { dependencies: ["@effect/platform-node", "@tallystick/core"], peers: ["effect"], node: true },
  cli: {
    dependencies: [],
    bundled: [
      "@effect/platform-node",
      "@tallystick/archive",
      "@tallystick/cluster",
      "@tallystick/console",
      "@tallystick/core",
      "@tallystick/reconcile",
      "@tallystick/report",
      "@tallystick/sandbox",
      "effect"
    ],
    peers: [],
    node: true
  }
}

const packages = fileURLToPath(new URL("../..", import.meta.url))

const Names = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
const Manifest = Schema.fromJsonString(Schema.Struct({
  private: Schema.optionalKey(Schema.Boolean),
  dependencies: Names,
  peerDependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  bundledDependencies: Schema.optionalKey(Schema.Unknown),
  bundleDependencies: Schema.optionalKey(Schema.Unknown),
  scripts: Names
}))

const manifest = (name: string) => Schema.decodeSync(Manifest)(readFileSync(`${packages}/${name}/package.json`, "utf8"))

const published = readdirSync(packages).filter((name) => manifest(name).private !== true)

const sources = (name: string): ReadonlyArray<string> =>
  readdirSync(`${packages}/${name}/src`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(`${packages}/${name}/src/${path}`, "utf8"))

/** The module of every import and re-export, with or without names, static or not. */
const specifiers = (source: string): ReadonlyArray<string> =>
  Array.from(
    source.matchAll(
      /^(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["']([^"']+)["']|\b(?:import|require)\(\s*["']([^"']+)["']/gm
    ),
    ([, fixed, late]) => fixed ?? late ?? ""
  )

/** `@scope/name/part` and `name/part` belong to their package. */
const packageOf = (specifier: string): string =>
  specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/")

const isNode = (specifier: string): boolean => specifier.startsWith("node:") || builtinModules.includes(specifier)

describe("the runtime dependencies of published packages", () => {
  it("are known for every package", () => {
    assert.deepStrictEqual(published.toSorted(), Object.keys(allowed).toSorted())
  })

  it.each(Object.keys(allowed))("are these and no others in the package.json of %s", (name) => {
    const found = manifest(name)
    assert.deepStrictEqual(Object.keys(found.dependencies ?? {}).toSorted(), allowed[name]?.dependencies)
    assert.deepStrictEqual(Object.keys(found.peerDependencies ?? {}).toSorted(), allowed[name]?.peers)
    for (const bundled of allowed[name]?.bundled ?? []) assert.property(found.devDependencies, bundled)
    assert.isUndefined(found.optionalDependencies)
    assert.isUndefined(found.bundledDependencies)
    assert.isUndefined(found.bundleDependencies)
  })

  it.each(Object.keys(allowed))("run nothing when %s is installed", (name) => {
    assert.notInclude(Object.keys(manifest(name).scripts ?? {}).join(" "), "install")
  })

  it.each(Object.keys(allowed))("are exactly what the sources of %s import", (name) => {
    const imported = sources(name).flatMap(specifiers).filter((specifier) => !specifier.startsWith("."))
    const { bundled = [], dependencies = [], node = false, peers = [] } = allowed[name] ?? {}
    const foreign = new Set(imported.filter((specifier) => !isNode(specifier)).map(packageOf))
    assert.deepStrictEqual([...foreign].toSorted(), [...dependencies, ...peers, ...bundled].toSorted())
    if (!node) assert.deepStrictEqual(imported.filter(isNode), [])
  })

  it("are found in every form of import", () => {
    const source = [
      "import \"a\"",
      "import b from 'b/part'",
      "import * as C from \"@c/c/deep\"",
      "import {\n  one,\n  two\n} from \"d\"",
      "export * from \"e\"",
      "export type { F } from \"f\"",
      "const g = await import(\"g\")",
      "  import(\n\"h\")",
      "const i = require(\"i\")"
    ].join("\n")
    assert.deepStrictEqual(specifiers(source).map(packageOf), ["a", "b", "@c/c", "d", "e", "f", "g", "h", "i"])
  })
})
