/** A project that installed the packages with npm on the oldest Node: plain TypeScript, and nothing of this workspace. */
import { mkdtempSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Exchange from "./support/Exchange.ts"
import { nodes, runtimes } from "./support/Packed.ts"
import * as Process from "./support/Process.ts"

const { consumer } = inject("packed")

const compile = (): Promise<Process.Finished> =>
  Process.run(
    process.execPath,
    [
      join(consumer, "node_modules/typescript/bin/tsc"),
      "--strict",
      "--module",
      "nodenext",
      "--outDir",
      "out",
      ...readdirSync(join(consumer, "src")).map((name) => `src/${name}`)
    ],
    { cwd: consumer }
  )

describe("an empty project with the packed packages", () => {
  let exchange: Exchange.Exchange
  beforeAll(async () => {
    assert.deepStrictEqual(await compile(), { code: 0, stdout: "", stderr: "" })
    exchange = await Exchange.start(consumer, nodes["22.19"])
  })
  afterAll(() => exchange.stop())

  it("is admitted by npm's engine check on Node 24 too", async () => {
    const { code, stderr } = await Process.run(
      "npm",
      ["install", "--engine-strict", "--dry-run", "--no-audit", "--no-fund"],
      { cwd: consumer, env: Process.withNode(nodes["24"]) }
    )
    assert.strictEqual(code, 0, stderr)
  })

  describe.each(Object.entries(nodes))("on Node %s", (version, node) => {
    const program = (file: string): Promise<Process.Finished> =>
      Process.run(node, [join(consumer, "out", file)], {
        cwd: mkdtempSync(join(consumer, `${version}-`)),
        env: { ...exchange.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" }
      })

    it("is the Node that it says", async () => {
      assert.include(await Process.succeed(node, ["--version"], { cwd: consumer }), `v${version}.`)
    })

    it.for<[string, RegExp]>([
      ["readme-core", /^\d+ deposits in that hour, and none is missing from the count\n$/],
      ["readme-reconcile", /missing-transfer: .* arrived on .*, but no transfer .*fits it was made/s],
      ["readme-report", /1 unmatched deposit/],
      ["readme-archive", /^The books (agree|do not agree)/],
      ["readme-sandbox", /^100 of the sandbox's \d+ deposits on one page\n$/],
      ["desk", /^The books do not agree: /m],
      ["everything", /^$/],
      ["required.cjs", /^0 outcomes of nothing\n$/]
    ])("runs %s", async ([name, expected]) => {
      const { code, stderr, stdout } = await program(name.includes(".") ? name : `${name}.js`)
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.match(stdout, expected)
    })
  })

  describe.each(Object.entries(runtimes))("on %s", (runtime, command) => {
    it.for<[string, RegExp]>([
      ["readme-core.js", /^\d+ deposits in that hour, and none is missing from the count\n$/],
      ["readme-reconcile.js", /missing-transfer: .* arrived on .*, but no transfer .*fits it was made/s],
      ["readme-report.js", /1 unmatched deposit/],
      ["required.cjs", /^0 outcomes of nothing\n$/],
      ["worker.js", /^\d+ deposits were counted in a worker\n$/]
    ])("runs %s", async ([file, expected]) => {
      const [program = "", ...args] = command
      const { code, stderr, stdout } = await Process.run(program, [...args, join(consumer, "out", file)], {
        cwd: mkdtempSync(join(consumer, `${runtime}-`)),
        env: exchange.env
      })
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.match(stdout, expected)
    })
  })
})
