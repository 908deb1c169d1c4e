/** The words of the five figures: a bound holds after rounding, and nothing is said to be nothing that is not. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Markdown from "@tallystick/report/Markdown"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Samples from "../../reconcile/test/support/Samples.ts"
import * as Figures from "../src/internal/content/Figures.ts"
import * as FigureText from "../src/internal/content/FigureText.ts"
import * as Times from "../src/text/Times.ts"

const accounts = { list: [], complete: true }

const reportOf = (input: Run.Input, range?: Report.Summary["range"]): Report.Report => {
  const about = { coverage: Run.complete, accounts, ...(range ? { range } : {}) }
  return Report.make({ ...about, policy: Run.policy(), ...Run.match({ ...about, ...input }) })
}

const textOf = (figures: Figures.Figures, name: FigureText.FigureText["name"], currency?: string): string => {
  const found = FigureText.of(figures, Times.make(), currency).find((one) => one.name === name)
  return found === undefined ? "" : `${found.value}: ${found.note}`
}

describe("a worth at a glance", () => {
  it("keeps its bound: at most is rounded up, at least down", () => {
    assert.strictEqual(FigureText.glance("1.001", "at most"), "at most 1.01")
    assert.strictEqual(FigureText.glance("1.009", "at least"), "at least 1.00")
    assert.strictEqual(FigureText.glance("1.005", "exact"), "1.01")
    assert.strictEqual(FigureText.glance("65000.12", "at most"), "at most 65,000.12")
    for (const worth of ["0.001", "0.004", "0.999", "12.3456", "7", "0.01"]) {
      const [most, least] = [FigureText.rounded(worth, "at most"), FigureText.rounded(worth, "at least")]
      assert.isAtLeast(Amount.compare(most, worth), 0, worth)
      assert.isAtMost(Amount.compare(least, worth), 0, worth)
    }
  })

  it("is 0.00 of nothing alone", () => {
    assert.strictEqual(FigureText.glance("0", "exact"), "0.00")
    assert.strictEqual(FigureText.glance("0.004", "exact"), "less than 0.01")
    assert.strictEqual(FigureText.glance("0.004", "at most"), "at most 0.01")
    assert.strictEqual(FigureText.glance("0.004", "at least"), "more than 0.00")
    assert.strictEqual(FigureText.glance("0.004", "about"), "about 0.01")
  })
})

const MIDNIGHT = Date.UTC(2026, 10, 20)
const tuesday = { from: MIDNIGHT, to: MIDNIGHT + Run.DAY }

/** Minutes from midnight. */
const at = (minutes: number): number => (MIDNIGHT - Run.T0) / Run.MINUTE + minutes

describe("the worth", () => {
  it("names what is open in breaks of other days, also where nothing of the range is", () => {
    const report = reportOf({
      deposits: [Run.deposit("d", at(-10), { account: "a", amount: "1.5" })],
      transfers: [Run.transfer("t", at(5), { account: "a", amount: "1.4" })]
    }, tuesday)
    const figures = Figures.of(report, new Map([["BTC", "2"]]))
    assert.strictEqual(figures.open, 0)
    assert.strictEqual(textOf(figures, "open"), "0: 1 more of other days")
    assert.strictEqual(
      textOf(figures, "worth", "USD"),
      "0.00: nothing of the range; of other days: 0.20 USD, of 1 item"
    )
    assert.strictEqual(textOf(Figures.of(report), "worth"), "0.00: nothing of the range; of other days: 0.1 BTC")
  })

  it("says of an entry that its source tells in two assets that nobody knows how much is missing", () => {
    const conflict = [Run.deposit("c", 0), Run.deposit("c", 0, { asset: "ETH" })]
    const other = Run.deposit("d", 500, { amount: "3" })
    const alone = reportOf({ deposits: conflict })
    assert.include(textOf(Figures.of(alone), "worth"), "nobody knows how much is missing in 1 item")
    assert.notInclude(textOf(Figures.of(alone), "worth"), "no difference")
    const prices = new Map([["BTC", "2"], ["ETH", "1"]])
    assert.strictEqual(
      textOf(Figures.of(alone, prices), "worth"),
      "not known: 0 of 1 item; nobody knows how much is missing in 1 item"
    )
    const both = reportOf({ deposits: [...conflict, other] })
    assert.strictEqual(
      textOf(Figures.of(both, prices), "worth", "USD"),
      "6.00 USD: 1 of 2 items; nobody knows how much is missing in 1 item"
    )
  })
})

describe("a pair whose assets are not known to be one", () => {
  const report = reportOf(Samples.samples["asset-mismatch"])

  it("is missing of one and too much of the other at most, and has no worth without both prices", () => {
    assert.match(textOf(Figures.of(report), "worth"), /at most 1(\.0)? USDT and at most 1(\.0)? USDT-TRX$/)
    const figures = Figures.of(report, new Map([["USDT", "1"]]))
    assert.match(textOf(figures, "worth"), /^not known: 0 of 1 item; no worth of USDT-TRX/)
  })

  it("has a worth in its row only with both prices, by its bound", () => {
    const row = (prices: Iterable<readonly [string, string]>) =>
      Markdown.render(report, { prices: new Map(prices) }).split("\n").find((line) =>
        line.includes("1 USDT missing")
      ) ?? ""
    assert.include(row([["USDT", "2"]]), "the prices of both assets are not given")
    assert.include(row([["USDT", "2"], ["USDT-TRX", "3"]]), "worth at most 5")
  })
})

describe("completeness", () => {
  it("does not say that nothing was read where something was", () => {
    const range = { from: Run.T0, to: Run.T0 + Run.HOUR }
    const young = { ...range, operation: "deposits", state: "open", readAt: Run.T0 } as const
    const report: Report.Report = {
      ...reportOf({ deposits: [Run.deposit("d", 1)] }, range),
      coverage: [young],
      unread: [young]
    }
    assert.match(textOf(Figures.of(report), "read"), /^not complete: no deposits were read completely/)
  })

  it("tells since when nothing was read, and no length of time that does not end", () => {
    const report = reportOf({ deposits: [Run.deposit("d", 0)] })
    const until = Run.T0 + Run.HOUR
    const of = (...intervals: ReadonlyArray<readonly [from: number, to: number]>): string =>
      textOf(
        Figures.of({
          ...report,
          unread: intervals.map(([from, to]) => ({
            operation: "transfers",
            state: "incomplete",
            readAt: Run.T0,
            from,
            to
          }))
        }),
        "read"
      )
    const [start, end] = ["2027-01-15 08:00:00", "2027-01-15 09:00:00"]
    assert.strictEqual(
      of([until, Times.END]),
      `not complete: of the transfers, the time from ${end} on was not read completely`
    )
    assert.strictEqual(
      of([0, Run.T0], [Run.T0 + Run.MINUTE, Run.T0 + 2 * Run.MINUTE], [until, Times.END]),
      `not complete: of the transfers, the time up to ${start}, the time from ${end} on and 1 min in 1 interval were not read completely`
    )
    assert.strictEqual(
      of([Run.T0, until]),
      "not complete: of the transfers, 1 h in 1 interval were not read completely"
    )
  })
})

describe("the heading of the breaks in Markdown", () => {
  const report = reportOf({
    deposits: [Run.deposit("d1", 0, { amount: "1" }), Run.deposit("d2", 500, { amount: "2" })],
    transfers: [Run.transfer("t1", 1500, { amount: "7" })]
  })
  const heading = (outcomes: ReadonlyArray<Outcome.Outcome>, only?: Markdown.Options["only"]): string =>
    /^## Breaks.*\n\n.*$/m.exec(Markdown.render({ ...report, outcomes }, { only }))?.[0] ?? ""

  it("counts what is accepted apart, as the figures do", () => {
    const accepted = { decision: 1, by: "desk", reason: "fee", words: "" }
    const outcomes = report.outcomes.map((outcome, index) => (index === 0 ? { ...outcome, accepted } : outcome))
    assert.match(heading(outcomes), /^## Breaks: 2; 1 accepted\n/)
  })

  it("counts all of them, also where some only are asked for", () => {
    assert.match(heading(report.outcomes, ["missing-deposit"]), /^## Breaks: 3\n\n1 of these 3 were asked for\.$/)
    assert.notInclude(heading(report.outcomes), "asked for")
  })
})
