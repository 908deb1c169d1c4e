import { assert, describe, it } from "@effect/vitest"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as DateTime from "effect/DateTime"
import * as Struct from "effect/Struct"
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Crowd from "../../reconcile/test/support/Crowd.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Sources from "../page/Sources.ts"
import * as Sentences from "../src/internal/content/Sentences.ts"
import type { Facts } from "../src/internal/html/Facts.ts"
import * as Page from "../src/internal/html/Page.generated.ts"
import * as Rows from "../src/internal/html/Rows.ts"
import * as Priority from "../src/Priority.ts"

const render = (report: Report.Report, options?: Html.Options): string =>
  Array.from(Html.parts(report, options)).join("")

/** The texts of the elements of one name, as a browser finds them. */
const dataOf = (page: string, name: string): ReadonlyArray<string> =>
  Array.from(
    page.matchAll(new RegExp(`<script type="application/json" data-part="${name}">(.*?)</script`, "gs")),
    ([, text = ""]) => text
  )

const rowsOf = (page: string): ReadonlyArray<Rows.OutcomeRow> =>
  dataOf(page, "outcomes").flatMap((text): ReadonlyArray<Rows.OutcomeRow> => JSON.parse(text))

const readerOf = (page: string): Rows.Reader => Rows.reader(JSON.parse(dataOf(page, "texts").join("")))

const hash = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`

const between = (page: string, begin: string, end: string): string => {
  const from = page.lastIndexOf(begin) + begin.length
  return page.slice(from, page.indexOf(end, from))
}

const report = Sample.report()
const page = render(report)

describe("the HTML report", () => {
  it("holds every outcome whole, but for the facts that its words are made of", () => {
    const random = Generator.make(3)
    const kind = Crowd.kindOf(random)
    const crowd = Run.match({
      deposits: Crowd.entries(random, "deposit", kind),
      transfers: Crowd.entries(random, "transfer", kind)
    })
    const past = { statuses: [{ status: "pending" as const, seenAt: 5 }], vanishedAt: 7 }
    const dressed = (outcome: Outcome.Outcome): Outcome.Outcome => ({
      ...outcome,
      deposits: outcome.deposits.map((entry) => ({ ...entry, past, memo: "", network: "TRX", reference: "r" }))
    })
    const outcomes = report.outcomes.concat(crowd.outcomes.map(dressed))
    const written = render({ ...report, outcomes })
    const reader = readerOf(written)
    const read = new Map(rowsOf(written).map((row) => [row[0], reader.outcome(row)]))
    assert.strictEqual(read.size, outcomes.length)
    const said = Sentences.ofReport(report, undefined)
    for (const outcome of outcomes.map(said)) {
      const candidates = outcome.candidates.map(Struct.omit(["because"]))
      assert.deepStrictEqual(read.get(outcome.id), { ...Struct.omit(outcome, ["because"]), candidates })
    }
  })

  it("tells of every outcome at a glance which assets and accounts are in it, and since when", () => {
    const reader = readerOf(page)
    const mixed: Array<string> = []
    for (const row of rowsOf(page)) {
      const { deposits, transfers } = reader.outcome(row)
      const entries = [...deposits, ...transfers]
      const { accounts, asset, assets, at, ...counts } = reader.glance(row)
      assert.sameMembers([...assets], Array.from(new Set([asset, ...entries.map((entry) => entry.asset)])))
      assert.sameMembers([...accounts], Array.from(new Set(entries.flatMap(({ account = [] }) => account))))
      assert.strictEqual(at, entries.length === 0 ? null : Math.min(...entries.map((entry) => entry.at)))
      assert.deepStrictEqual([counts.deposits, counts.transfers], [deposits.length, transfers.length])
      if (assets.length > 1) mixed.push(...assets)
    }
    assert.sameMembers(mixed, ["USDT", "USDT-TRX"])
  })

  it("leaves the service's records out of matches, and only out of them", () => {
    const outcomes = report.outcomes.map((outcome) => ({
      ...outcome,
      deposits: outcome.deposits.map((entry) => ({ ...entry, record: { txId: entry.id } }))
    }))
    const written = render({ ...report, outcomes })
    const reader = readerOf(written)
    for (const row of rowsOf(written)) {
      const { deposits, outcome } = reader.outcome(row)
      for (const { id, record } of deposits) {
        assert.deepStrictEqual(record, outcome === "matched" ? undefined : { txId: id })
      }
    }
  })

  it("tells the same facts as the JSON report", () => {
    const { outcomes: _, ...facts } = JSON.parse(Json.render(report))
    const [text = ""] = dataOf(page, "facts")
    const written: Facts = JSON.parse(text)
    assert.deepStrictEqual(written.summary, facts)
  })

  it("puts first what is to be looked at first", () => {
    const prices = new Map([["BTC", "65000.12"], ["USDT", "1"]])
    const expected = Priority.sorted(report.outcomes, { policy: report.policy, prices })
    const written = rowsOf(render(report, { prices }))
    assert.deepStrictEqual(written.map(([id]) => id), expected.map(({ outcome }) => outcome.id))
    assert.deepStrictEqual(written.map((row) => row[14]), expected.map(({ stake }) => stake.worth ?? 0))
  })

  it("names the zone, so that the page shows its times", () => {
    const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
    const written: Facts = JSON.parse(dataOf(render(report, { zone }), "facts").join(""))
    assert.strictEqual(written.zone, "Europe/Berlin")
    assert.match(
      render(report, { zone }),
      /<title>19 November 2026 01:00 to 20 November 2026 01:00, Europe\/Berlin: The books do not agree<\/title>/
    )
  })

  it("lets nothing in but its own script and style, and asks nobody for anything", () => {
    const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    assert.include(policy, "default-src 'none'")
    assert.include(policy, `script-src '${hash(between(page, "<script>", "</script>"))}'`)
    assert.include(policy, `style-src '${hash(between(page, "<style>", "</style>"))}'`)
    assert.notMatch(policy, /unsafe|\*|http/)
    assert.notMatch(page.replace(Page.script, "").replace(Page.notices, ""), /\b(?:src|href|action|url)\s*[=(]/i)
  })

  it("keeps what strangers write from ending the element it stands in", () => {
    const evil = "</script><script>alert(1)</script><!--<script>\u2028\u202e\u0000'\"><img src=x onerror=alert(1)>"
    const outcomes = report.outcomes.map((outcome) => ({
      ...outcome,
      explanation: evil,
      deposits: outcome.deposits.map((entry) => ({ ...entry, id: evil, account: evil, memo: evil, record: { evil } })),
      candidates: [{ side: "transfer" as const, id: evil, reason: evil }]
    }))
    const written = render({ ...report, outcomes, warnings: [evil], meaning: evil })
    const own = render({ ...report, outcomes: [] })
    const count = (text: string, what: RegExp): number => Array.from(text.matchAll(what)).length
    assert.strictEqual(count(written, /<script|<!--|<img/gi), count(own, /<script|<!--|<img/gi) + 1)
    assert.strictEqual(readerOf(written).outcome(rowsOf(written)[0]!).explanation, evil)
    const withoutData = written.replaceAll(/<script type="application\/json".*?<\/script>/gs, "").replace(
      Page.script,
      ""
    )
    assert.notMatch(withoutData, /[\u2028\u202e\0]/)
    assert.notInclude(withoutData, "<img")
  })

  it("says without a script too whether the books agree", () => {
    assert.match(page, /<noscript><h1>The books do not agree: /)
  })

  it("has its script behind the facts and before the outcomes, so that a long file begins with its first screen", () => {
    const places = ["data-part=\"facts\"", `<script>${Page.script}`, "data-part=\"outcomes\"", "data-part=\"texts\""]
      .map((text) => page.indexOf(text))
    assert.isAbove(places[0] ?? -1, 0)
    assert.deepStrictEqual(places, places.toSorted((a, b) => a - b))
  })

  it("is at most 150 kB compressed without data", () => {
    const empty = render(
      Report.make({ ...report, accounts: Sample.accounts, addresses: [], outcomes: [], range: undefined })
    )
    assert.isAtMost(gzipSync(empty).length, 150_000)
  })

  it("is made from the present sources: `pnpm --filter @tallystick/reconcile page` makes it anew", () => {
    assert.strictEqual(Page.sources, Sources.digest())
  })
})
