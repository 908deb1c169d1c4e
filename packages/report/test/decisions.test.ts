/** What a report says of decisions: how many were followed, where the ledger ends, and what could not be followed. */
import { assert, describe, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Html from "../src/Html.ts"
import * as Markdown from "../src/Markdown.ts"
import * as Table from "../src/Table.ts"
import * as Verdict from "../src/Verdict.ts"

type Faults = NonNullable<Report.Summary["decisions"]>["faults"]

const id = "5f".repeat(32)

const reportWith = (faults: Faults): Report.Report => ({
  ...Report.make({
    outcomes: [],
    coverage: Run.complete,
    warnings: [],
    accounts: { list: ["a"], complete: true },
    policy: Run.policy()
  }),
  clean: faults.length === 0,
  decisions: { head: { number: 12, id }, applied: 3, faults }
})

const fault = (of: Faults[number]["of"]): Faults[number] => ({ decision: 1, of, text: "why", entries: [] })

describe("a report that followed decisions", () => {
  it("names the end of the ledger in every form", () => {
    const report = reportWith([])
    const words = "3 decisions followed; the ledger ends at"
    assert.include(Table.render(report, { width: 200 }), `${words} 12@${id}`)
    assert.include(Markdown.render(report), `${words} \`12@${id}\``)
    assert.include(Array.from(Html.parts(report)).join(""), id)
  })

  it("does not say that the books agree where one could not be followed, and tells the two kinds apart", () => {
    assert.match(Verdict.sentence(reportWith([])), /^The books agree/)
    assert.strictEqual(Verdict.grade(reportWith([fault("decision")])), "doubtful")
    assert.strictEqual(
      Verdict.sentence(reportWith([fault("decision")])),
      "Whether the books agree is not decidable: 1 decision that could not be followed."
    )
    assert.strictEqual(
      Verdict.sentence(reportWith([fault("decision"), fault("decision"), fault("policy")])),
      "Whether the books agree is not decidable: 2 decisions that could not be followed and 1 line of the policy that contradicts a " +
        "decision."
    )
  })
})
