import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { basename } from "node:path"
import * as Mutation from "../mutation/Mutation.ts"
import { mutations } from "../mutation/mutations.ts"

const modules = new Set(mutations.map(({ rule }) => basename(rule.split(".")[0] ?? "")))

describe("the rules that can be switched off", () => {
  it("are declared once by the module that they name, wherever it lies", () => {
    const lost = mutations.filter((mutation) => Mutation.read(mutation) === undefined)
    assert.deepStrictEqual(lost.map(({ rule }) => rule), [])
  })

  it("are told apart by their names, and noticed by a test file that is there", () => {
    assert.strictEqual(new Set(mutations.map(({ rule }) => rule)).size, mutations.length)
    const unnoticed = mutations.filter((mutation) => !existsSync(Mutation.testOf(mutation)))
    assert.deepStrictEqual(unnoticed, [])
  })

  it("name every file of the rules for breaks and of their evidence", () => {
    const files = ["breaks", "evidence"].flatMap((room) =>
      readdirSync(new URL(`../src/internal/engine/${room}`, import.meta.url))
    )
    assert.deepStrictEqual(files.filter((file) => !modules.has(basename(file, ".ts"))), [])
  })

  it("are replaced as a whole, by name, and not where a name is declared twice or not at all", () => {
    const off: Mutation.Mutation = { rule: "Some.rule", instead: "() => true", test: "" }
    const text = "export const rule = (one: string): boolean => one === ruled\nconst ruled = \"\"\n"
    const rest = "(one: string): boolean => one === ruled\nconst ruled = \"\"\n"
    assert.strictEqual(Mutation.apply(off, text), `export const rule = () => true; const $rule = ${rest}`)
    assert.isUndefined(Mutation.apply(off, "const ruled = 1\n"))
    assert.isUndefined(Mutation.apply(off, text + text))
    assert.isUndefined(Mutation.apply({ ...off, rule: "Some.rule.method" }, text))
  })
})
