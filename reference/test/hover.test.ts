/** What an editor shows of a field is what the reference says of it: the comment above it and its description are one text. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The modules whose fields are read in an editor: those of records, entries, outcomes and reports. */
const modules = [
  "packages/core/src/{BadRecord,Coverage,SubAccountDeposit,UniversalTransfer}.ts",
  "packages/reconcile/src/{Accounts,AddressBook,Entry,Outcome}.ts",
  "packages/reconcile/src/internal/Past.ts",
  "packages/reconcile/src/internal/{policy,report}/*.ts"
]

const annotation = /\.annotateKey\(\{\s*description:\s*((?:"(?:[^"\\]|\\.)*"(?:\s*\+\s*)?)+)\s*\}\)/g

/** The text of string literals that are added up. */
const textOf = (expression: string): string =>
  Array.from(expression.matchAll(/"(?:[^"\\]|\\.)*"/g), ([literal]) => String(JSON.parse(literal))).join("")

/** Where the field begins that ends at `end`: behind the bracket or the comma before it. */
const beginning = (source: string, end: number): number => {
  let depth = 0
  for (let place = end - 1; place >= 0; place--) {
    const character = source.charAt(place)
    if (source.startsWith("*/", place - 1)) place = source.lastIndexOf("/*", place)
    else if (")]}".includes(character)) depth++
    else if (depth === 0 && ",([{".includes(character)) return place + 1
    else if ("([{".includes(character)) depth--
  }
  return 0
}

const commentOf = (field: string): string | undefined =>
  /^\s*\/\*\*([\s\S]*?)\*\//.exec(field)?.[1]?.replace(/\s*\n\s*\*\s?/g, " ").trim()

const fields = modules.flatMap((pattern) => globSync(pattern, { cwd: root })).flatMap((path) => {
  const source = readFileSync(`${root}${path}`, "utf8")
  return Array.from(source.matchAll(annotation), (found) => {
    const field = source.slice(beginning(source, found.index), found.index)
    const name = /(\w+):(?![\s\S]*\*\/)/.exec(field)?.[1] ?? "?"
    return { name: `${path}: ${name}`, comment: commentOf(field), description: textOf(found[1] ?? "") }
  })
})

describe("the comment above a field with a description", () => {
  it("says the same, so that editors and the reference agree", () => {
    assert.isAbove(fields.length, 150)
    const unlike = fields.filter(({ comment, description }) => comment !== description)
    assert.deepStrictEqual(unlike, [])
  })
})
