import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const bundled = async (entry: string) => {
  const build = await rolldown({
    input: fileURLToPath(new URL(`../src/${entry}`, import.meta.url)),
    platform: "neutral",
    resolve: { conditionNames: ["import", "default"] },
    logLevel: "silent"
  })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  return output[0]
}

const withoutComments = (code: string): string => code.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, "")

describe("a bundle for a neutral platform", () => {
  it("imports nothing, least of all from Node, and needs no process", async () => {
    const { code, dynamicImports, imports, modules } = await bundled("index.ts")
    assert.deepStrictEqual([imports, dynamicImports], [[], []])
    const ours = Object.entries(modules).filter(([id]) => id.includes("/packages/core/src/"))
    assert.isAbove(ours.length, 20)
    for (const [id, module] of ours) {
      assert.notMatch(withoutComments(module.code ?? ""), /\b(process|Buffer|require|__dirname|node:)\b/, id)
    }
    // Effect itself looks for a process where there is one.
    assert.notMatch(code.replaceAll("globalThis.process?.", ""), /\bprocess\s*[.[?]/)
    assert.notMatch(code, /\bimport\s*[("'{]|\brequire\s*\(/)
  })
})
