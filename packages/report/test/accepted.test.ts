/** What a report says of discrepancies that a person accepted. */
import { assert, describe, it } from "@effect/vitest"
import * as Explanation from "@tallystick/reconcile/Explanation"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Rows from "../src/internal/html/Rows.ts"
import * as Texts from "../src/internal/html/Texts.ts"
import * as Markdown from "../src/Markdown.ts"
import * as Masking from "../src/Masking.ts"
import * as Priority from "../src/Priority.ts"
import * as Table from "../src/Table.ts"
import * as Verdict from "../src/Verdict.ts"

const accepted: Outcome.Accepted = { decision: 5, by: "clerk", reason: "write-off", words: "asked by sub00001" }

const sample = Sample.report()

/** The report of the sample in which these outcomes are accepted. */
const accepting = (isAccepted: (outcome: Outcome.Outcome) => boolean): Report.Report =>
  Report.make({
    ...sample,
    accounts: Sample.accounts,
    addresses: [],
    range: sample.range ?? undefined,
    outcomes: sample.outcomes.filter(({ outcome }) => outcome !== "undetermined")
      .filter(({ code }) => code !== "bad-record")
      .map((outcome) => isAccepted(outcome) ? Explanation.accept(outcome, accepted) : outcome)
  })

const isBreak = ({ outcome }: Outcome.Outcome): boolean => outcome === "discrepancy"

const [none, one, all] = [
  accepting(() => false),
  accepting(({ code }) => code === "missing-deposit"),
  accepting(isBreak)
]

describe("a report of accepted discrepancies", () => {
  it("sets their entries aside, but for the pairs of a class, and its totals tie as before", () => {
    const lines = ({ totals }: Report.Report) => {
      const { deposits, transfers } = totals.find(({ asset }) => asset === "USDT") ?? assert.fail()
      return { deposits, transfers }
    }
    const [before, after] = [lines(none), lines(all)]
    for (const side of ["deposits", "transfers"] as const) {
      assert.deepStrictEqual(after[side].in, before[side].in)
      assert.deepStrictEqual(after[side].matched, before[side].matched)
      assert.strictEqual(after[side].open.count, 0)
      assert.strictEqual(after[side].setAside.count, before[side].setAside.count + before[side].open.count)
      assert.isAbove(before[side].open.count, 0)
    }
    assert.isAbove(none.ageing.reduce((sum, { outcomes }) => sum + outcomes, 0), 0)
    assert.strictEqual(all.ageing.reduce((sum, { entries, outcomes }) => sum + entries + outcomes, 0), 0)
  })

  it("agrees where everything is accepted, and names what was accepted", () => {
    assert.isTrue(all.clean)
    assert.strictEqual(Verdict.grade(all), "good")
    assert.match(Verdict.sentence(all), /^The books agree: .*; accepted: 1 unmatched deposit, .*\.$/)
    assert.isFalse(one.clean)
    assert.strictEqual(Verdict.grade(one), "bad")
    assert.notMatch(Verdict.sentence(one).split("accepted")[0] ?? "", /unmatched transfer/)
    assert.include(Verdict.sentence(one), "accepted: 1 unmatched transfer")
    for (const text of [Table.render(one, { width: 200 }), Markdown.render(one)]) {
      assert.include(
        text.replaceAll("\\", "").replaceAll(/\s+/g, " "),
        "It is accepted by clerk: asked by sub00001 (write-off; decision 5)."
      )
    }
  })

  it("shows them behind those that are open, and keeps them as they are in JSON and in its page", () => {
    const codes = Priority.sorted(one.outcomes.filter(isBreak), one).map(({ outcome }) => outcome.accepted?.decision)
    assert.strictEqual(codes.at(-1), 5)
    assert.isTrue(codes.slice(0, -1).every((decision) => decision === undefined))
    const codec = Schema.fromJsonString(Report.Report)
    assert.deepStrictEqual(Schema.decodeSync(codec)(Schema.encodeSync(codec)(one)), one)
    const texts = Texts.make()
    const writer = Rows.writer(texts, String)
    const rows = Priority.sorted(one.outcomes, one).map(({ outcome, stake }) => writer(outcome, stake))
    const reader = Rows.reader(texts.all())
    assert.lengthOf(rows.filter((row) => reader.glance(row).isAccepted), 1)
    assert.deepStrictEqual(rows.flatMap((row) => reader.outcome(row).accepted ?? []), [accepted])
  })

  it("masks who accepted them, and why", () => {
    const masked = Masking.report(one, Sample.accounts)
    const found = masked.outcomes.find(({ code }) => code === "missing-deposit")
    assert.deepStrictEqual(found?.accepted, { ...accepted, words: "asked by account-1" })
    assert.include(found?.explanation ?? "", "It is accepted by clerk: asked by account-1 (write-off; decision 5).")
  })

  it("counts them apart, so that nothing fails on them", () => {
    const count = one.counts.find(({ code }) => code === "missing-deposit")
    assert.strictEqual(count?.accepted, 1)
    assert.strictEqual(count === undefined ? -1 : Report.outcomesListed(Report.withoutAccepted(count)), 0)
  })
})
