/** The command as a clone installs it. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, inject, it } from "vitest"
import * as Process from "./support/Process.ts"

const workspace = fileURLToPath(new URL("..", import.meta.url))

describe("the one command that installs tallystick from a clone", () => {
  it("works in a fresh clone where the machine's Node is too old for it, and what is installed needs no Node of the machine", async () => {
    const folder = mkdtempSync(join(inject("packed").consumer, "install-"))
    const [old, prefix] = [join(folder, "old"), join(folder, "prefix")]
    mkdirSync(old)
    const node = `#!/bin/sh\n[ "$1" = --version ] && echo v20.20.2 && exit\nexec "${process.execPath}" "$@"\n`
    writeFileSync(join(old, "node"), node)
    chmodSync(join(old, "node"), 0o755)

    // A fresh clone has nothing of what is packed.
    for (const built of ["bundle", "THIRD-PARTY.txt", "sbom.cdx.json"]) {
      rmSync(join(workspace, "packages/cli/dist", built), { recursive: true, force: true })
    }
    const said = await Process.succeed("pnpm", ["install-command"], {
      cwd: workspace,
      env: { PATH: `${old}${delimiter}${process.env["PATH"] ?? ""}`, npm_config_prefix: prefix }
    })
    assert.include(
      said,
      `tallystick runs on Node ${process.version}, which it keeps for itself; this machine's is v20.20.2`
    )
    assert.include(said, `Put ${join(prefix, "bin")} into PATH`)

    const { version } = JSON.parse(readFileSync(join(workspace, "packages/cli/package.json"), "utf8"))
    assert.deepStrictEqual(
      await Process.run(join(prefix, "bin/tallystick"), ["--version"], { cwd: folder, env: { PATH: old } }),
      { code: 0, stdout: `${version}\n`, stderr: "" }
    )
  })

  it("is run on the Node that pnpm takes for the workspace's", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8"))
    assert.include(
      readFileSync(join(workspace, "pnpm-workspace.yaml"), "utf8"),
      `nodeVersion: ${devDependencies.node}\n`
    )
  })
})
