import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as All from "../src/All.ts"

const root = new URL("../../", import.meta.url)

const committed = (path: string): string => {
  const file = new URL(path, root)
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

describe("what is generated into the repository", () => {
  it.effect("is what `pnpm reference` writes now", () =>
    Effect.gen(function*() {
      const files = yield* All.all
      const stale = files.filter(({ path, text }) => committed(path) !== text).map(({ path }) => path)
      assert.deepStrictEqual(stale, [], `run \`pnpm reference\` and commit what it writes`)
    }))

  it.effect("is all there is in its folders", () =>
    Effect.gen(function*() {
      const written = (yield* All.all).map(({ path }) => path)
      const folders = Array.from(
        new Set(written.filter((path) => path.includes("/")).map((path) => path.slice(0, path.lastIndexOf("/"))))
      )
      // The root holds other files too.
      const found = folders.flatMap((folder) =>
        readdirSync(new URL(`${folder}/`, root)).map((name) => `${folder}/${name}`)
      )
      assert.sameMembers(found, written.filter((path) => path.includes("/")))
    }))

  it("names every document to language models once, in the order of the index, and nothing that is not there", () => {
    const targets = Array.from(committed("llms.txt").matchAll(/\]\(([^)#]+)/g), ([, target = ""]) => target)
    assert.strictEqual(new Set(targets).size, targets.length)
    assert.deepStrictEqual(targets.filter((target) => !existsSync(new URL(target, root))), [])
    const pages = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md") && name !== "README.md")
    assert.includeMembers(targets, pages.map((name) => `docs/${name}`))
    assert.strictEqual(targets[0], "docs/getting-started.md")
  })
})
