/**
 * Packages are packed only when they are built: one without its `dist` is refused, and a `dist` that was removed is
 * built again.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { libraries, packages, source } from "./support/Packed.ts"
import * as Process from "./support/Process.ts"

const workspace = fileURLToPath(new URL("..", import.meta.url))
const prepack = join(workspace, "packaging/prepack.ts")
const root = mkdtempSync(join(tmpdir(), "tallystick-build-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.each(packages)("@tallystick/%s", (name) => {
  const folder = join(root, name)
  const packed = () => Process.run(process.execPath, [prepack], { cwd: folder })

  it("is not packed without what it promises, and says what makes it", async () => {
    cpSync(source(name), folder, {
      recursive: true,
      filter: (path) => !/[\\/](?:dist|node_modules|CHANGELOG\.md)$/.test(path)
    })
    const { code, stderr } = await packed()
    assert.strictEqual(code, 1)
    assert.match(stderr, new RegExp(`^@tallystick/${name} is not built: it lacks dist/.*; pnpm build makes it\n$`))
    assert.isFalse(existsSync(join(folder, "CHANGELOG.md")))
  })

  it("is packed when it is built, with the changelog of all", async () => {
    cpSync(join(source(name), "dist"), join(folder, "dist"), { recursive: true })
    assert.deepStrictEqual(await packed(), { code: 0, stdout: "", stderr: "" })
    assert.isTrue(existsSync(join(folder, "CHANGELOG.md")))
  })

  it("runs this before it is packed", async () => {
    const { default: { scripts } } = await import(join(source(name), "package.json"), { with: { type: "json" } })
    assert.strictEqual(scripts.prepack, "node ../../packaging/prepack.ts")
  })
})

describe.each(libraries)("@tallystick/%s, a library", (name) => {
  it("is not packed where one module is not built", async () => {
    const folder = join(root, `${name}-partly`)
    cpSync(join(root, name), folder, { recursive: true })
    rmSync(join(folder, "dist/index.d.ts"))
    const { code, stderr } = await Process.run(process.execPath, [prepack], { cwd: folder })
    assert.strictEqual(code, 1)
    assert.include(stderr, "it lacks dist/index.d.ts;")
  })
})

describe("a build", () => {
  it("makes again what was removed", async () => {
    const folder = join(root, "project")
    mkdirSync(join(folder, "src"), { recursive: true })
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(join(folder, "src/index.ts"), "export const one: number = 1\n")
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: join(workspace, "tsconfig.base.json"), include: ["src"] })
    )
    const build = () =>
      Process.succeed(process.execPath, [join(workspace, "node_modules/typescript/bin/tsc"), "-b"], { cwd: folder })
    await build()
    rmSync(join(folder, "dist"), { recursive: true })
    await build()
    assert.isTrue(existsSync(join(folder, "dist/index.js")))
  })
})
