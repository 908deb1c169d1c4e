/**
 * Writes a bill of materials beside each build (`dist/sbom.cdx.json`, CycloneDX). pnpm knows what a package needs; what it adds that differs
 * from build to build (a random serial number, the time), and the addresses of a registry, are left out, so that one commit has one bill. The
 * command carries the code of others in its bundle: its bill names what `THIRD-PARTY.txt` names, and the packages of this workspace.
 * Names of packages (`cli`) make it write the bills of these alone.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

interface Reference {
  readonly type: string
  readonly hashes?: ReadonlyArray<{ readonly alg: string; readonly content: string }>
}

interface Component {
  readonly "bom-ref": string
  readonly externalReferences?: ReadonlyArray<Reference>
}

interface Bill {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly component: Component }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

const root = fileURLToPath(new URL("..", import.meta.url))

const billOf = (name: string): Bill => {
  const which = name === "cli" ? ["--sbom-type", "application"] : ["--prod"]
  const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--split", "--lockfile-only"]
  const args = ["--filter", `@tallystick/${name}`, "sbom", ...format, ...which]
  const shell = process.platform === "win32"
  return JSON.parse(execFileSync("pnpm", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26, shell }))
}

/** The hash of a tarball stays when its address goes. */
const without = ({ externalReferences = [], ...component }: Component) => {
  const hashes = externalReferences.find(({ type }) => type === "distribution")?.hashes
  const references = externalReferences.filter(({ type }) => type !== "distribution")
  return {
    ...component,
    ...(hashes === undefined ? {} : { hashes }),
    ...(references.length === 0 ? {} : { externalReferences: references })
  }
}

const PART = /^(@?[\w./-]+)(?: (\d+\.\d+\.\d+\S*)|, as effect carries it), \S/gm

/** What the bundle of the command carries, as the bundler found it. */
const carried = (): ReadonlyMap<string, Component> =>
  new Map(
    Array.from(
      readFileSync(`${root}packages/cli/dist/THIRD-PARTY.txt`, "utf8").matchAll(PART),
      ([, name = "", version]) => {
        const ref = `pkg:npm/${name.replace("@", "%40")}${version === undefined ? "" : `@${version}`}`
        return [ref, {
          type: "library",
          name,
          ...(version === undefined ? {} : { version }),
          purl: ref,
          "bom-ref": ref
        }]
      }
    )
  )

const componentsOf = (name: string, { components }: Bill): ReadonlyArray<Component> => {
  if (name !== "cli") return components
  const bundled = carried()
  const isOurs = (component: Component): boolean => component["bom-ref"].startsWith("pkg:npm/%40tallystick/")
  const known = components.filter((component) => isOurs(component) || bundled.has(component["bom-ref"]))
  const names = new Set(known.map((component) => component["bom-ref"]))
  return [...known, ...Array.from(bundled.values()).filter((component) => !names.has(component["bom-ref"]))]
}

const uuid = (text: string): string =>
  createHash("sha256").update(text).digest("hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")

/** The packages that are published, each by its folder. */
const packages = globSync("packages/*/package.json", { cwd: root }).filter((file) => {
  const { private: isPrivate }: { readonly private?: boolean } = JSON.parse(readFileSync(root + file, "utf8"))
  return isPrivate !== true
}).map((file) => dirname(file).replace(/^packages[\\/]/, ""))

const asked = process.argv.slice(2)

for (const name of packages.filter((name) => asked.length === 0 || asked.includes(name))) {
  const bill = billOf(name)
  const { timestamp: _, ...metadata } = bill.metadata
  const components = componentsOf(name, bill).map(without)
    .toSorted((a, b) => a["bom-ref"] < b["bom-ref"] ? -1 : 1)
  const refs = new Set([bill.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])])
  const content = {
    ...bill,
    metadata: { ...metadata, component: without(bill.metadata.component) },
    components,
    dependencies: bill.dependencies.filter(({ ref }) => refs.has(ref)).map(({ dependsOn = [], ref }) => ({
      ref,
      dependsOn: dependsOn.filter((other) => refs.has(other)).toSorted()
    })).toSorted((a, b) => a.ref < b.ref ? -1 : 1)
  }
  const serial = uuid(JSON.stringify({ ...content, serialNumber: "" }))
  writeFileSync(
    `${root}packages/${name}/dist/sbom.cdx.json`,
    `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${serial}` }, undefined, 2)}\n`
  )
}
