import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { apply } from "../mutation/Mutation.ts"
import { mutations } from "../mutation/mutations.ts"

describe("the rules that can be disabled", () => {
  it("stand in their files exactly once, so that the list follows the sources", () => {
    const texts = new Map<string, string>()
    const textOf = (file: string): string => {
      const text = texts.get(file) ?? readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")
      texts.set(file, text)
      return text
    }
    const lost = mutations.filter((mutation) => apply(mutation, textOf(mutation.file)) === undefined)
    assert.deepStrictEqual(lost.map(({ file, from, name }) => `${file}: ${name}: ${from}`), [])
  })

  it("have names of their own, tests, and something to say", () => {
    assert.strictEqual(new Set(mutations.map(({ name }) => name)).size, mutations.length)
    for (const { from, tests, to } of mutations) {
      assert.isNotEmpty(tests)
      assert.notStrictEqual(from, to)
    }
  })
})
