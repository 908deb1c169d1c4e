import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as Markdown from "@tallystick/report/Markdown"
import * as Table from "@tallystick/report/Table"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Books from "../../reconcile/test/support/Books.ts"
import * as Case from "../../reconcile/test/support/Case.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Figures from "../src/internal/content/Figures.ts"
import * as FigureText from "../src/internal/content/FigureText.ts"
import * as Times from "../src/text/Times.ts"
import * as Printed from "./support/Printed.ts"
import * as Recount from "./support/Recount.ts"
import * as RecountFigures from "./support/RecountFigures.ts"

const file = new URL("../../reconcile/test/fixtures/matching-sample.json", import.meta.url)
const cases = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Case.Case)))(readFileSync(file, "utf8"))
const read = Schema.decodeSync(Schema.fromJsonString(Report.Report))

const SEEDS = 60
const books = Array.from({ length: SEEDS }, (_, seed) => Books.report(Generator.make(seed)))
const samples = cases.map((sample) => {
  const input = Case.toInput(sample)
  const about = { coverage: Run.complete, accounts: { list: [], complete: true }, policy: Run.policy(input.policy) }
  return Report.make({ ...about, ...Run.match(input) })
})
const reports = [Sample.report(), ...books, ...samples]

const verify = (report: Report.Report, found: ReturnType<typeof Recount.of>): void => {
  const { ageing, clean, counts, lags, matchRate, totals, unattributed = 0, unattributedOfOtherDays = 0 } = report
  assert.deepStrictEqual(found, {
    totals,
    matchRate,
    counts: Object.fromEntries(counts.map((count) => [count.code, count])),
    lags,
    ageing,
    unattributed: [unattributed, unattributedOfOtherDays],
    clean
  })
}

describe("every number of a report", () => {
  it("can be counted again from the outcomes of its JSON", () => {
    for (const report of reports) {
      const written = read(Json.render(report))
      assert.deepStrictEqual(written, report)
      verify(written, Recount.of(written))
    }
  })

  it("is printed the same in a terminal", () => {
    for (const report of reports) assert.deepStrictEqual(Printed.inTable(report), Printed.expected(report))
  })

  it("is printed the same in Markdown", () => {
    for (const report of reports) {
      assert.deepStrictEqual(Printed.inMarkdown(report), Printed.expected(report))
      assert.deepStrictEqual(Printed.detailsInMarkdown(report), Printed.details(report))
    }
  })

  it.effect("is what the rows of the CSV sum to", () =>
    Effect.gen(function*() {
      for (const report of reports) assert.deepStrictEqual(yield* Printed.inCsv(report), Printed.ofRows(report))
    }))

  it("is of the range: every entry of the JSON says whether it lies in it", () => {
    const Written = Schema.fromJsonString(Schema.Struct({
      outcomes: Schema.Array(Schema.Struct({
        deposits: Schema.Array(Schema.Struct({ at: Schema.Int, inRange: Schema.Boolean })),
        transfers: Schema.Array(Schema.Struct({ at: Schema.Int, inRange: Schema.Boolean }))
      }))
    }))
    for (const report of reports) {
      const { range } = report
      for (const { deposits, transfers } of Schema.decodeSync(Written)(Json.render(report)).outcomes) {
        for (const { at, inRange } of [...deposits, ...transfers]) {
          assert.strictEqual(inRange, range === null || (range.from <= at && at < range.to))
        }
      }
    }
  })

  it("is one of five figures, which a terminal, Markdown and the page show alike", () => {
    const bounds = new Set<string>()
    for (const report of reports) {
      const { open, openOfOtherDays, oldest, sizes, unread } = RecountFigures.of(report)
      const figures = Figures.of(report)
      assert.deepStrictEqual(
        {
          open: figures.open,
          openOfOtherDays: figures.openOfOtherDays,
          oldest: figures.oldest?.ageMs ?? null,
          sizes: figures.sizes,
          unread: (["deposits", "transfers"] as const).map((operation) =>
            figures.unread?.find((one) => one.operation === operation)?.ms ?? 0
          )
        },
        { open, openOfOtherDays, oldest, sizes, unread }
      )
      for (const { bound } of sizes) bounds.add(bound)
      const texts = FigureText.of(figures, Times.make())
      assert.deepStrictEqual(Printed.figuresInTable(report), texts.map(({ value }) => value))
      assert.deepStrictEqual(Printed.figuresInMarkdown(report), texts.map(({ value }) => value))
      const page = Array.from(Html.parts(report)).join("")
      const [, facts = ""] = /data-part="facts">(.*?)<\/script>/s.exec(page) ?? []
      assert.deepStrictEqual(JSON.parse(facts).figures, figures)
    }
    assert.deepStrictEqual(Array.from(bounds).toSorted(), ["about", "at least", "at most", "exact"])
  })

  it.effect("that is a difference stands in the rows of the CSV, and is what the outcomes say", () =>
    Effect.gen(function*() {
      for (const report of reports) {
        for (const { bound, difference, excess, id, missing } of yield* Printed.differencesInCsv(report)) {
          const outcome = report.outcomes.find((one) => one.id === id)
          assert.isDefined(outcome)
          if (outcome.outcome === "discrepancy" && outcome.code !== "source-conflict") {
            assert.deepStrictEqual([difference, bound], RecountFigures.sizeOf(outcome), outcome.code)
            assert.strictEqual(Recount.total([missing, excess]), difference, outcome.code)
          }
        }
      }
    }))

  it("has been tried on books in which nearly everything happens", () => {
    const codes = new Set(books.flatMap(({ counts }) => counts.map(({ code }) => code)))
    assert.isAtLeast(codes.size, 20, Array.from(codes).join(" "))
    assert.isTrue(books.some(({ counts }) => counts.some(({ code }) => code === "class-short")))
    const others = books.flatMap(({ counts }) => counts.filter(({ ofOtherDays }) => (ofOtherDays?.outcomes ?? 0) > 0))
    assert.isAtLeast(new Set(others.map(({ code }) => code)).size, 3)
    assert.isTrue(reports.some(({ clean }) => clean) && books.some(({ unread }) => unread.length > 0))
    assert.isTrue(
      books.some(({ outcomes }) =>
        outcomes.some(({ deposits }) => deposits.some(({ amount }) => /^\d{64}\.\d{64}$/.test(amount)))
      )
    )
  })
})

describe("amounts", () => {
  const of = (deposits: ReadonlyArray<Entry.Entry>) =>
    Report.make({
      coverage: Run.complete,
      accounts: { list: [], complete: true },
      policy: Run.policy(),
      ...Run.match({ deposits })
    })

  it("keep all their digits in every form, up to 64 on either side of the point", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = Generator.make(seed)
      const amounts = Array.from({ length: 4 }, () => Books.amount(random))
      const report = of(amounts.map((amount, index) => Run.deposit(`d${index}`, index * 1000, { amount })))
      const forms = [
        Json.render(report),
        Table.render(report),
        Markdown.render(report),
        Array.from(Csv.parts(report)).join(""),
        Array.from(Html.parts(report)).join("")
      ]
      for (const text of forms) for (const amount of amounts) assert.include(text, amount)
      const sum = Recount.total(amounts)
      for (const text of [...forms.slice(0, 3), ...forms.slice(4)]) assert.include(text, sum)
    }
  })
})
