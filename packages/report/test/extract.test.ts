/** Reports of which only some outcomes are shown: what they carry, what they say that they leave out, and the numbers of the whole. */
import { assert, describe, it } from "@effect/vitest"
import * as Extract from "@tallystick/reconcile/Extract"
import * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as Markdown from "@tallystick/report/Markdown"
import * as Ndjson from "@tallystick/report/Ndjson"
import * as Table from "@tallystick/report/Table"
import * as Effect from "effect/Effect"
import * as Parser from "effect/encoding/Csv"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Books from "../../reconcile/test/support/Books.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import type { Facts } from "../src/internal/html/Facts.ts"
import * as Printed from "./support/Printed.ts"

const acceptedBy = { decision: 3, by: "desk (claimed)", reason: "fee", words: "a fee of the network" }

/** The same with each second discrepancy accepted, in the outcomes and in their counts. */
const withAccepted = (report: Report.Report): Report.Report => {
  let place = 0
  const outcomes = report.outcomes.map((outcome) =>
    outcome.outcome === "discrepancy" && place++ % 2 === 0 ? { ...outcome, accepted: acceptedBy } : outcome
  )
  return Report.make({
    ...report,
    accounts: Sample.accounts,
    addresses: [],
    range: report.range ?? undefined,
    outcomes
  })
}

const reports = [
  Sample.report(),
  withAccepted(Sample.report()),
  ...Array.from({ length: 12 }, (_, seed) => Books.report(Generator.make(seed)))
]

/** Each word alone, and several together; each with the outcomes that the documentation says it is for. */
const choices: ReadonlyArray<readonly [ReadonlyArray<Extract.Word>, (outcome: Outcome.Outcome) => boolean]> = [
  [["open"], ({ accepted, outcome }) => outcome === "discrepancy" && accepted === undefined],
  [Extract.withoutMatches, ({ outcome }) => outcome !== "matched"],
  [
    ["undetermined", "missing-transfer"],
    ({ code, outcome }) => outcome === "undetermined" || code === "missing-transfer"
  ],
  [["open", "discrepancy"], ({ outcome }) => outcome === "discrepancy"],
  ...Outcome.Kind.literals.map((kind) => [[kind], ({ outcome }: Outcome.Outcome) => outcome === kind] as const),
  [[], () => false]
]

const readExtract = Schema.decodeSync(Schema.fromJsonString(Extract.Extract))
const readReport = Schema.decodeResult(Schema.fromJsonString(Report.Report))

/** Each report with each choice. */
const each = reports.flatMap((report) => choices.map(([only, isCarried]) => ({ report, only, isCarried })))

const events = ({ outcomes, ...summary }: Report.Report): Stream.Stream<Reconciliation.Event> =>
  Stream.fromIterable<Reconciliation.Event>([
    ...outcomes.map((outcome) => ({ _tag: "Outcome" as const, outcome })),
    { _tag: "Summary", summary }
  ])

describe("an extract of a report", () => {
  it("carries the outcomes that were asked for, and counts by code those that it leaves out", () => {
    for (const { isCarried, only, report } of each) {
      const { carried, carries, ...summary } = readExtract(Json.render(report, { only }))
      assert.deepStrictEqual(carried, report.outcomes.filter(isCarried))
      assert.deepStrictEqual(summary, Struct.omit(report, ["outcomes"]))
      assert.deepStrictEqual(carries.only, only)
      for (const count of report.counts) {
        const here = carried.filter(({ code }) => code === count.code).length
        const left = carries.leftOut.find(({ code }) => code === count.code)?.outcomes ?? 0
        assert.strictEqual(here + left, Report.outcomesListed(count), count.code)
      }
      assert.isTrue(carries.leftOut.every(({ outcomes }) => outcomes > 0))
    }
  })

  it("is never read as a report, and no report as an extract", () => {
    for (const { only, report } of each) {
      assert.strictEqual(readReport(Json.render(report, { only }))._tag, "Failure")
      assert.throws(() => readExtract(Json.render(report)))
    }
  })

  it.effect("comes as lines, too, and ends with what it left out in place of the summary", () =>
    Effect.gen(function*() {
      const read = Schema.decodeSync(Schema.fromJsonString(Ndjson.Line))
      for (const { only, report } of each) {
        const range = report.range
        const lines = (yield* Stream.runCollect(Ndjson.lines(events(report), { only, range }))).map((line) =>
          read(line)
        )
        const last = lines.pop()
        const { carried, ...ending } = Extract.of(report, only)
        assert.deepStrictEqual<unknown>(lines, carried)
        assert.deepStrictEqual<unknown>(last, { extract: ending })
      }
    }))

  it("prints the numbers of the whole report, and says what is left out", () => {
    for (const { only, report } of each) {
      const expected = Struct.omit(Printed.expected(report), ["waiting"])
      assert.deepStrictEqual(Struct.omit(Printed.inTable(report, only), ["waiting"]), expected)
      assert.deepStrictEqual(Struct.omit(Printed.inMarkdown(report, only), ["waiting"]), expected)
      const { carries: { leftOut } } = Extract.of(report, only)
      const left = leftOut.reduce((sum, { outcomes }) => sum + outcomes, 0)
      for (const text of [Table.render(report, { only, width: 1000 }), Markdown.render(report, { only })]) {
        const [, told = ""] = /^(?:- )?Left out:? +(.*)$/m.exec(text) ?? []
        if (left === 0) assert.match(told, /^nothing/)
        else {
          const sum = Array.from(told.matchAll(/\d+/g), ([count]) => Number(count)).reduce((a, b) => a + b, 0)
          assert.strictEqual(sum, left, told)
        }
      }
      assert.notInclude(Table.render(report, { width: 1000 }), "Left out")
    }
  })

  it.effect("has its rows in the CSV, behind a row for each code of which something is left out", () =>
    Effect.gen(function*() {
      const rowsOf = (report: Report.Report, options?: Csv.Options) =>
        Stream.fromIterable(Csv.parts(report, options)).pipe(
          Stream.pipeThroughChannel(Parser.decodeString({ headers: true })),
          Stream.runCollect
        )
      for (const { isCarried, only, report } of each) {
        const rows = yield* rowsOf(report, { only })
        const { carries: { leftOut } } = Extract.of(report, only)
        assert.deepStrictEqual(
          rows.slice(0, leftOut.length).map((
            { code, explanation = "", outcome }
          ) => [outcome, code, parseInt(explanation)]),
          leftOut.map(({ code, outcomes }) => ["left-out", code, outcomes])
        )
        const ids = new Set(report.outcomes.filter(isCarried).map(({ id }) => id))
        const all = yield* rowsOf(report)
        assert.deepStrictEqual(rows.slice(leftOut.length), all.filter(({ outcome_id: id = "" }) => ids.has(id)))
      }
    }))

  it("leaves the charts of the page as they are", () => {
    for (const { isCarried, only, report } of each) {
      const page = Array.from(Html.parts(report, { only })).join("")
      const [, facts = "{}"] = /data-part="facts">(.*?)<\/script/s.exec(page) ?? []
      const { carries, ...others }: Facts = JSON.parse(facts)
      const [, whole = "{}"] = /data-part="facts">(.*?)<\/script/s.exec(Array.from(Html.parts(report)).join("")) ?? []
      assert.deepStrictEqual<unknown>(others, JSON.parse(whole))
      assert.deepStrictEqual<unknown>(carries, Extract.of(report, only).carries)
      const rows = Array.from(page.matchAll(/data-part="outcomes">(.*?)<\/script/gs), ([, text = "[]"]) => text)
        .flatMap((text): ReadonlyArray<readonly [id: string]> => JSON.parse(text))
      assert.sameMembers(rows.map(([id]) => id), report.outcomes.filter(isCarried).map(({ id }) => id))
    }
  })
})
