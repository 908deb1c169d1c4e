/** The contents of the packages, and whether bundlers, compilers and debuggers find them. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { assert, describe, inject, it } from "vitest"
import { libraries, packages, source } from "./support/Packed.ts"
import * as Process from "./support/Process.ts"
import * as Subpaths from "./support/Subpaths.ts"

const { consumer, tarballs } = inject("packed")

const folder = (name: string): string => join(consumer, "node_modules/@tallystick", name)
const read = (path: string): string => readFileSync(path, "utf8")
const manifest = (name: string) => JSON.parse(read(join(folder(name), "package.json")))

const attw = fileURLToPath(new URL("node_modules/@arethetypeswrong/cli/dist/index.js", import.meta.url))

describe.each(packages)("@tallystick/%s", (name) => {
  it("carries its README, licence and changelog, and says who may use it", () => {
    for (const file of ["README.md", "LICENSE", "CHANGELOG.md"]) {
      assert.isTrue(existsSync(join(folder(name), file)), file)
    }
    const { description, engines, homepage, keywords, license, repository } = manifest(name)
    assert.isNotEmpty(description)
    assert.isNotEmpty(keywords)
    assert.deepStrictEqual(engines, { node: ">=22.19" })
    assert.strictEqual(license, "MIT")
    assert.strictEqual(repository.directory, `packages/${name}`)
    assert.include(homepage, repository.directory)
  })

  it("is published with its provenance, and carries a bill of materials that is the same for every build of a commit", () => {
    const { publishConfig, version } = JSON.parse(read(join(source(name), "package.json")))
    assert.deepInclude(publishConfig, { access: "public", provenance: true })
    const text = read(join(folder(name), "dist/sbom.cdx.json"))
    const { bomFormat, components, dependencies, metadata, serialNumber } = JSON.parse(text)
    assert.strictEqual(bomFormat, "CycloneDX")
    assert.strictEqual(metadata.component.purl, `pkg:npm/%40tallystick/${name}@${version}`)
    assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notMatch(text, /registry|timestamp|\/home\/|\/tmp\/|file:/)
    const refs = new Set([metadata.component, ...components].map((component) => component["bom-ref"]))
    for (const { dependsOn, ref } of dependencies) {
      for (const one of [ref, ...dependsOn]) assert.isTrue(refs.has(one), one)
    }
    const { dependencies: needed = {} } = manifest(name)
    for (const dependency of Object.keys(needed)) {
      assert.include(text, `"purl": "pkg:npm/${dependency.replace("@", "%40")}@`)
    }
  })

  it("has the version of all, and the changelog knows it", () => {
    const { version } = manifest(name)
    assert.strictEqual(version, manifest("core").version)
    assert.include(read(join(folder(name), "CHANGELOG.md")), `\n## [${version}]`)
  })

  it("passes publint without a remark", async () => {
    const { messages, pkg } = await publint({ pkgDir: folder(name), strict: true, pack: false })
    assert.deepStrictEqual(messages.map((message) => formatMessage(message, pkg ?? {})), [])
  })

  it("resolves its source maps: every source is in the package, or in the map", () => {
    const code = globSync("dist/**/*.js", { cwd: folder(name) })
    const maps = code.filter((file) => /\/\/# sourceMappingURL=\S+\s*$/.test(read(join(folder(name), file))))
      .map((file) => `${file}.map`)
    const mapped = new Set<string>()
    // The command has chunks that hold no code of ours; those need no map.
    if (name !== "cli") assert.deepStrictEqual(code.filter((file) => !maps.includes(`${file}.map`)), [])
    for (const map of maps) {
      const path = join(folder(name), map)
      const { sources, sourcesContent }: { sources: Array<string>; sourcesContent?: Array<string | null> } = JSON.parse(
        read(path)
      )
      sources.forEach((source, index) => {
        mapped.add(source.replace(/^.*\/src\//, ""))
        const isThere = typeof sourcesContent?.[index] === "string" || existsSync(join(dirname(path), source))
        assert.isTrue(isThere, `${map}: ${source}`)
      })
    }
    if (name === "cli") assert.includeMembers(Array.from(mapped), ["main.ts", "Process.ts", "commands/Reconcile.ts"])
  })
})

describe.each(libraries)("@tallystick/%s, a library", (name) => {
  it("asks for Effect as a peer, and for its own siblings by version", () => {
    const { dependencies = {}, peerDependencies } = manifest(name)
    assert.deepStrictEqual(peerDependencies, { effect: "^4.1.0" })
    for (const [dependency, range] of Object.entries(dependencies)) {
      assert.match(String(range), /^\^\d+\.\d+\.\d+$/, dependency)
    }
  })

  it("holds what its sources say and nothing older, each module with its types", () => {
    const files = (top: string, ending: string): ReadonlyArray<string> =>
      globSync(`**/*${ending}`, { cwd: join(folder(name), top) }).map((file) => file.slice(0, -ending.length))
        .toSorted()
    const sources = files("src", ".ts")
    assert.deepStrictEqual(
      files("dist", ".js"),
      sources,
      "what no source makes is older: remove packages/*/dist, and build"
    )
    assert.deepStrictEqual(files("dist", ".d.ts"), sources)
  })

  it("passes attw as an ES module, every module of it", async () => {
    const { code, stdout } = await Process.run(
      process.execPath,
      [
        attw,
        tarballs[name],
        "--profile",
        "esm-only",
        "--no-color",
        "--no-emoji",
        "--format",
        "ascii",
        "--entrypoints",
        ".",
        ...Subpaths.of(name).map((path) => `.${path}`)
      ],
      { cwd: consumer }
    )
    assert.strictEqual(code, 0, stdout)
    assert.include(stdout, `@tallystick/${name}/${Subpaths.of(name).at(-1)?.slice(1)}`)
  })

  it("keeps what is internal to itself, and what is part of a renderer", async () => {
    const hidden = Subpaths.hidden(name).map((path) => `@tallystick/${name}${path}`)
    const found = await Process.succeed(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `for (const module of ${JSON.stringify(hidden)}) {
          try { import.meta.resolve(module); console.log(module) }
          catch ({ code }) { if (code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw code }
        }`
      ],
      { cwd: consumer }
    )
    assert.isNotEmpty(hidden)
    assert.strictEqual(found, "")
  })
})

describe("@tallystick/cli, a program", () => {
  it("installs nothing else, and names whose code it carries", () => {
    const { bin, dependencies, optionalDependencies, peerDependencies } = manifest("cli")
    assert.deepStrictEqual([dependencies, optionalDependencies, peerDependencies], [undefined, undefined, undefined])
    assert.deepStrictEqual(Object.keys(bin), ["tallystick"])
    const notice = read(join(folder("cli"), "dist/THIRD-PARTY.txt"))
    for (
      const owner of [/^effect \d.*MIT/m, /^undici \d.*MIT/m, /^swagger-ui.*Apache-2.0/m, /^@effect\/sql-pg \d.*MIT/m]
    ) {
      assert.match(notice, owner)
    }
    const named = Array.from(
      notice.matchAll(/^(@?[\w./-]+)(?: (\d+\.\d+\.\d+\S*)|, as effect carries it), \S/gm),
      ([, name, version]) => `${name} ${version ?? "of unknown version"}`
    )
    const { components } = JSON.parse(read(join(folder("cli"), "dist/sbom.cdx.json")))
    const listed = components.map(({ group, name, version }: Readonly<Record<string, string>>) =>
      `${group === undefined ? "" : `${group}/`}${name} ${version ?? "of unknown version"}`
    ).filter((name: string) => !name.startsWith("@tallystick/"))
    assert.sameMembers(listed, Array.from(new Set(named)))
    assert.isAbove(named.length, 4)
  })
})
