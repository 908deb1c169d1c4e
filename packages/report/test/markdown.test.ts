import { assert, describe, it } from "@effect/vitest"
import * as Markdown from "@tallystick/report/Markdown"
import * as Text from "@tallystick/report/text/Text"
import * as Verdict from "@tallystick/report/Verdict"
import * as DateTime from "effect/DateTime"
import { marked, type Token } from "marked"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Hostile from "../../reconcile/test/support/Hostile.ts"
import * as Escape from "../src/internal/markdown/Escape.ts"
import * as ShortId from "../src/text/ShortId.ts"

const report = Sample.report()

/** Every token, those inside others too. */
const tokensOf = (markdown: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  void marked.walkTokens(marked.lexer(markdown), (token) => void tokens.push(token))
  return tokens
}

const isLeaf = (token: Token): boolean => !("tokens" in token && token.tokens !== undefined)

/** What somebody reads: the text without any markup, as far as spaces go. */
const readable = (markdown: string): string =>
  tokensOf(markdown)
    .filter((token) => isLeaf(token) && (token.type === "text" || token.type === "codespan"))
    .map((token) => ("text" in token ? String(token.text) : "").replaceAll("&#124;", "|"))
    .join("").replaceAll(/\s+/g, "")

const squeezed = (text: string): string => Text.plain(text).replaceAll(/\s+/g, "")

const harmless = new Set(["space", "heading", "paragraph", "strong", "text", "codespan", "list", "list_item", "table"])

describe("the Markdown report", () => {
  it("begins with the verdict and what it speaks of", () => {
    const text = Markdown.render(report, { zone: DateTime.zoneMakeNamedUnsafe("Europe/Berlin") })
    assert.isTrue(
      text.startsWith(
        `# 19 November 2026 01:00 to 20 November 2026 01:00, \`Europe/Berlin\`\n\n**${
          Escape.prose(Verdict.sentence(report))
        }**\n`
      )
    )
    assert.include(text, "- Range: 2026-11-19 01:00:00+01:00 to 2026-11-20 01:00:00+01:00")
    assert.include(readable(text), squeezed(report.meaning))
  })

  it("shows amounts with all their digits, and as text that can be copied", () => {
    const text = Markdown.render(report)
    assert.include(text, "**12.345678901234567890123456789 USDT missing**, missing-transfer")
    assert.include(text, "| 649.945678901234567890123456789 |")
  })

  it("says how many breaks it leaves out, and shows the most money first", () => {
    const whole = Markdown.render(report)
    assert.notInclude(whole, "left out")
    const short = Markdown.render(report, { limit: 2, prices: new Map([["BTC", "1000"], ["USDT-TRX", "1"]]) })
    assert.include(short, "## Breaks: 4")
    assert.include(short, "The first 2 of 4, most money first; 2 are left out here")
    const worths = Array.from(short.matchAll(/^- \*\*.*worth ([\d.]+),.*$/gm), ([, worth]) => worth)
    assert.deepStrictEqual(worths, ["88", "30"])
  })

  it("lets nothing that a stranger wrote mark up, link, mention or leave its cell", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const text = Markdown.render(Hostile.report(report, Generator.make(seed)))
      for (const token of tokensOf(text)) {
        assert.isTrue(harmless.has(token.type), `seed ${seed}: ${token.type}: ${token.raw}`)
        if (token.type === "text" && isLeaf(token)) {
          assert.notMatch(token.raw.replaceAll("&#124;", ""), /[@<>[\]\\`*_~$#]|www\.|:\/\//)
        }
      }
      for (const table of text.split("\n\n").filter((block) => block.startsWith("|"))) {
        const widths = new Set(table.split("\n").map((line) => line.split("|").length))
        assert.strictEqual(widths.size, 1, table)
      }
      assert.notMatch(text.replaceAll("\n", ""), /[\p{Cc}\u202e\u200b]/u)
    }
  })

  it("shows as code what platforms link by themselves: issues and commits, whatever is around them", () => {
    const linked = ["GH-12", "x-gh-7", "JIRA-1", "0123abc", "deadbeef", "DEADBEEF12", "sub-0123456789abcdef"]
    for (const word of linked) {
      assert.strictEqual(Escape.prose(`see (${word}), now`), `see (\`${word}\`), now`)
    }
    for (const plain of ["2026-11-19", "12345678.5", "sub-account", "abcdef", "1234567"]) {
      assert.strictEqual(Escape.prose(`see (${plain}), now`), `see (${plain}), now`)
    }
  })

  it("gives back as text what a stranger wrote", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const one = Hostile.report(report, Generator.make(seed))
      const shown = readable(Markdown.render(one))
      for (const { deposits, explanation, outcome, transfers } of one.outcomes) {
        if (outcome !== "discrepancy") continue
        assert.include(shown, squeezed(explanation))
        for (const { account = "", asset, id } of [...deposits, ...transfers]) {
          for (const text of [account, asset, ShortId.of(id)]) assert.include(shown, squeezed(text))
        }
      }
      for (const text of [one.meaning, ...one.warnings]) assert.include(shown, squeezed(text))
    }
  })
})
