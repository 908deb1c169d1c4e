/** Documents and help use the words of docs/glossary.md. The names for programs are code, and stand as code. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)

const pages = ["README.md", "docs", "docs/outcomes", "policies", "packages/reconcile/README.md"].flatMap((path) =>
  path.endsWith(".md")
    ? [path]
    : readdirSync(new URL(`${path}/`, root)).flatMap((name) => name.endsWith(".md") ? [`${path}/${name}`] : [])
)

const read = (path: string): string => readFileSync(new URL(path, root), "utf8")

/** The prose of a page, without blocks and spans of code, and without the places to which links lead. */
const prose = (text: string): string =>
  text.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`]*`/g, "").replaceAll(/\]\([^)]*\)/g, "]")

/** The help of all commands, without the values that a flag or an example takes. */
const help = read("docs/reference/command.md").replaceAll(/\s+/g, " ")
  .replaceAll(
    /kinds \([^)]*\)|Default: [^. ]*|--(?:only|fail-on|state) [a-z,-]+|\[open,[^\]]*\]|[a-z-]+,undetermined[a-z,-]*/g,
    ""
  )

/** Each old word, and the word in its place. */
const old: ReadonlyArray<readonly [RegExp, string]> = [
  [/discrepanc(?:y|ies)/i, "break"],
  [/\bundetermined\b/i, "not decidable"],
  [/\bcalled missing\b|\bmissing entr(?:y|ies)\b/i, "unmatched"],
  [/\bmismatch(?:es)?\b/i, "amount difference"],
  [/\baging\b/i, "ageing"]
]

describe("documents and help", () => {
  it.each(pages)("%s has no word that the glossary replaced", (path) => {
    const text = prose(read(path))
    for (const [word, instead] of old) assert.notMatch(text, word, `write: ${instead}`)
  })

  it("help has none", () => {
    assert.isAbove(help.length, 10_000)
    for (const [word, instead] of old.slice(0, 2)) assert.notMatch(help, word, `write: ${instead}`)
  })

  it("the glossary says each word once", () => {
    const words = Array.from(read("docs/glossary.md").matchAll(/^\| \*\*(.*?)\*\*/gm), ([, word]) => word)
    assert.isAbove(words.length, 15)
    assert.strictEqual(new Set(words).size, words.length)
  })
})
