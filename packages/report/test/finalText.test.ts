/** When a break becomes final, as every format says it. */
import { assert, describe, it } from "@effect/vitest"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Html from "@tallystick/report/Html"
import * as Markdown from "@tallystick/report/Markdown"
import * as Table from "@tallystick/report/Table"
import * as FinalText from "@tallystick/report/text/FinalText"
import * as Xlsx from "@tallystick/report/Xlsx"
import * as DateTime from "effect/DateTime"
import { strFromU8, unzipSync } from "fflate"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Run from "../../reconcile/test/support/Run.ts"

const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")

/** A deposit of 07:47 in Berlin without a transfer, which was read to the next morning. */
const arrived = Date.UTC(2026, 10, 22, 6, 47)

const outcomes = (to: number, given: Run.Input = {}): ReadonlyArray<Outcome.Outcome> =>
  Run.match({
    deposits: [{ ...Run.deposit("d1", 0), at: arrived }],
    policy: { window: { before: "5 minutes", after: "1 hour" }, late: "24 hours" },
    coverage: Run.complete.map((coverage) => ({ ...coverage, to, readAt: to })),
    ...given
  }).outcomes

const WORDS = "final on 23 Nov 08:47 at the earliest"

const report: Report.Report = {
  ...Sample.report(),
  range: { from: arrived - Run.HOUR, to: arrived + Run.DAY },
  counts: [{ outcome: "discrepancy", code: "missing-transfer", outcomes: 1, deposits: 1, transfers: 0 }],
  outcomes: outcomes(arrived + 3 * Run.HOUR)
}

describe("the words about when a break becomes final", () => {
  it("are the same in a table, in Markdown, on the page and in the workbook, in the zone of the report", () => {
    const plain = (text: string): string => text.replaceAll(/\s+/g, " ")
    assert.include(plain(Table.render(report, { zone: berlin })), WORDS)
    assert.include(plain(Markdown.render(report, { zone: berlin })), WORDS)
    assert.include(Array.from(Html.parts(report, { zone: berlin })).join(""), WORDS)
    const files = unzipSync(Buffer.concat(Array.from(Xlsx.parts(report, { zone: berlin }))))
    assert.include(Object.values(files).map((bytes) => strFromU8(bytes)).join(""), WORDS)
    const csv = Array.from(Csv.parts(report, { zone: berlin })).join("")
    assert.include(csv, ",final,final_from,advice,")
    assert.include(csv, ",no,2026-11-23 08:47:00.001+01:00,")
  })

  it("say what has to be read or told first where no time decides", () => {
    const text = (outcome: Outcome.Outcome | undefined): string =>
      outcome === undefined ? "" : FinalText.of(outcome, String)
    const late = arrived + 3 * Run.HOUR
    assert.strictEqual(text(outcomes(arrived + 2 * Run.DAY)[0]), "final")
    assert.strictEqual(
      text(outcomes(late, { coverage: Run.complete.map((coverage) => ({ ...coverage, to: late })) })[0]),
      "may change once the missing time is read"
    )
    const bad = { side: "transfer", source: "a", path: "$", reason: "none", raw: "{}" } as const
    assert.strictEqual(text(outcomes(late, { bad: [bad] })[0]), "may change once the unusable records are read")
    const deposits = (["pending", "unknown"] as const).map((status) =>
      outcomes(late, { deposits: [{ ...Run.deposit("d1", 0, { status }), at: arrived }] })[0]
    )
    assert.deepStrictEqual(deposits.map(text), [
      "may change once its source settles it",
      "may change once the policy knows its status"
    ])
  })
})
