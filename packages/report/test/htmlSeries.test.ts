import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"
import * as Crowd from "../../reconcile/test/support/Crowd.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as CoverageLanes from "../src/internal/html/CoverageLanes.ts"
import * as Flows from "../src/internal/html/Flows.ts"
import * as LagBins from "../src/internal/html/LagBins.ts"

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0)

/** A report of competing entries over hours, days or months. */
const reportOf = (seed: number): Report.Report => {
  const random = Generator.make(seed)
  const kind = { ...Crowd.kindOf(random), minutes: random.pick([100, 1000, 20_000, 500_000]), most: 40 }
  const input = { deposits: Crowd.entries(random, "deposit", kind), transfers: Crowd.entries(random, "transfer", kind) }
  const { outcomes, warnings } = Run.match(input)
  const about = { policy: Run.policy(), accounts: { list: [], complete: false } }
  return Report.make({ ...about, outcomes, warnings, coverage: Run.complete })
}

const reports = Array.from({ length: Generator.cases(60) }, (_, seed) => reportOf(seed))

/** The report of a part of the time of each, through which pairs are cut. */
const reportsOfADay = reports.map((report): Report.Report => {
  const times = report.outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers].map(({ at }) => at))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const range = { from: from + Math.floor((to - from) / 3), to: from + Math.ceil((2 * (to - from)) / 3) }
  const isInRange = Report.isInRange(range)
  const outcomes = report.outcomes.filter(({ deposits, transfers }) => [...deposits, ...transfers].some(isInRange))
  return Report.make({ ...report, accounts: { list: [], complete: false }, addresses: [], range, outcomes })
})

/** What `Flows` counts, counted plainly. */
const within = (report: Report.Report, side: "deposits" | "transfers", from: number, to: number): number =>
  report.outcomes.flatMap((outcome) => outcome[side]).filter(({ at }) => at >= from && at < to).length

describe("entries over time", () => {
  it("sum up, line by line, to the control totals, those of other days in a line of their own", () => {
    for (const report of [...reports, ...reportsOfADay]) {
      const flows = Flows.make(report.outcomes, { range: report.range })
      for (const side of ["deposits", "transfers"] as const) {
        Flows.lines.forEach((line, place) => {
          const counted = report.totals.map((total) =>
            line === "ofOtherDays" ? total.ofOtherDays?.[side].in.count ?? 0 : total[side][line].count
          )
          assert.strictEqual(sum(flows?.[side][place] ?? []), sum(counted), `${side} ${line}`)
        })
      }
    }
    assert.isTrue(reportsOfADay.some(({ totals }) => totals.some(({ ofOtherDays }) => ofOtherDays !== undefined)))
  })

  it("stand in the interval in which they happened", () => {
    for (const report of reports) {
      const flows = Flows.make(report.outcomes)
      for (const side of ["deposits", "transfers"] as const) {
        flows?.edges.slice(0, -1).forEach((from, index) => {
          const counted = sum(flows[side].map((line) => line[index] ?? 0))
          assert.strictEqual(counted, within(report, side, from, flows.edges[index + 1] ?? from))
        })
      }
    }
  })

  it("are counted by the hour over a few days", () => {
    const deposits = [Run.deposit("a", 0), Run.deposit("b", 5 * 24 * 60)]
    const flows = Flows.make(Run.match({ deposits }).outcomes)
    assert.strictEqual(flows?.unit, "hour")
    assert.isTrue(flows?.edges.every((edge) => edge % Run.HOUR === 0))
  })

  it("outside the range are told, since they stand in outcomes that reach into it", () => {
    const input = {
      deposits: [Run.deposit("a", -10), Run.deposit("b", 10, { amount: "2" }), Run.deposit("c", -20, { amount: "3" })],
      transfers: [Run.transfer("t", 5)]
    }
    const range = { from: Run.T0, to: Run.T0 + Run.HOUR }
    const { outcomes } = Run.match({ ...input, range })
    assert.deepStrictEqual(Run.summary(outcomes), ["exact a t", "missing-transfer b"])
    const flows = Flows.make(outcomes, { range })
    assert.strictEqual(flows?.outside, 1)
    const ofOtherDays = Flows.lines.indexOf("ofOtherDays")
    assert.deepStrictEqual([sum(flows?.deposits[ofOtherDays] ?? []), sum(flows?.transfers[ofOtherDays] ?? [])], [1, 0])
    assert.strictEqual(Flows.make(outcomes)?.outside, 0)
  })

  it("are counted by the day of the zone, also where the clock is turned", () => {
    const at = (text: string) => (Date.parse(text) - Run.T0) / Run.MINUTE
    const deposits = [
      Run.deposit("a", at("2026-10-20T10:00:00Z")),
      Run.deposit("b", at("2026-10-25T22:59:59Z")),
      Run.deposit("c", at("2026-10-25T23:00:00Z")),
      Run.deposit("d", at("2026-11-05T10:00:00Z"))
    ]
    const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
    const flows = Flows.make(Run.match({ deposits }).outcomes, { zone })
    const turned = (flows?.edges ?? []).indexOf(Date.parse("2026-10-24T22:00:00Z"))
    assert.strictEqual(flows?.edges[turned + 1], Date.parse("2026-10-25T23:00:00Z"))
    const days = flows?.deposits.reduce((sums, line) => sums.map((count, index) => count + (line[index] ?? 0)))
    assert.deepStrictEqual(days?.slice(turned, turned + 2), [1, 1])
  })

  it("are nothing without entries", () => {
    assert.isNull(Flows.make([]))
  })
})

const lagsOf = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<number> =>
  outcomes.flatMap(({ code, lagMs, outcome, pairs = [] }) => {
    if (code === "class-balanced" || (outcome !== "matched" && outcome !== "discrepancy")) return []
    return lagMs === null ? pairs.map((pair) => pair.lagMs) : [lagMs]
  })

describe("lags", () => {
  it("of stated pairs are as many as the report says, and each stands in its bin", () => {
    for (const report of [...reports, ...reportsOfADay]) {
      const own = report.outcomes.filter(Report.isOfRange(report.range))
      const bins = LagBins.make(own, report.policy.window)
      assert.strictEqual(sum(bins.map(({ matched }) => matched)), report.lags?.count ?? 0)
      const lags = lagsOf(own)
      for (const { from, matched, open, to } of bins) {
        assert.strictEqual(matched + open, lags.filter((lag) => lag >= from && lag <= to).length)
      }
      assert.strictEqual(sum(bins.map(({ matched, open }) => matched + open)), lags.length)
    }
  })

  it("have bins that follow each other and never reach over the edge of the window", () => {
    const windows = [{ before: 60_000, after: 3_600_000 }, { before: 1, after: 7 }, { before: -90_001, after: 100_000 }]
    const outcomes = reports.flatMap((report) => report.outcomes)
    for (const window of [...windows, { before: 3_700_000, after: -5000 }]) {
      const bins = LagBins.make(outcomes, window)
      bins.forEach(({ from, inside, to }, index) => {
        assert.isAtLeast(to, from)
        assert.strictEqual(inside, from >= -window.before && to <= window.after)
        assert.isTrue(inside || to < -window.before || from > window.after, `${from} to ${to}`)
        if (index > 0) assert.strictEqual(from, (bins[index - 1]?.to ?? 0) + 1)
      })
      assert.isTrue(bins.some(({ inside }) => inside))
    }
  })
})

describe("the coverage", () => {
  const end = Run.T0 + 100

  const coverageOf = (random: Generator.Generator): ReadonlyArray<Coverage.Coverage> =>
    Array.from({ length: random.int(0, 12) }, (): Coverage.Coverage => {
      const from = Run.T0 + random.int(-10, 90)
      const state = random.pick(["complete", "complete", "open", "incomplete"] as const)
      const query = { fromAccount: random.pick(["a", "b"]), fromAccountType: "SPOT", toAccountType: "SPOT" }
      return {
        operation: random.pick(["deposits", "transfers"]),
        ...(random.chance(0.7) ? { query } : {}),
        from,
        to: from + random.int(1, 60),
        readAt: end,
        state,
        ...(state === "incomplete" ? { gap: { code: "failed-page", detail: random.pick(["503", "504"]) } } : {})
      }
    })

  /** What is known of one millisecond. */
  const stateAt = (coverage: ReadonlyArray<Coverage.Coverage>, at: number): CoverageLanes.State => {
    const here = coverage.filter(({ from, to }) => from <= at && at < to)
    const scopes = (some: ReadonlyArray<Coverage.Coverage>) => new Set(some.map(({ query }) => query?.fromAccount)).size
    if (here.length === 0) return "unread"
    if (here.some(({ state }) => state === "incomplete")) return "gap"
    if (scopes(here) < scopes(coverage)) return "partly"
    return here.some(({ state }) => state === "open") ? "open" : "complete"
  }

  it("says of every moment the worst that is known of it, without a hole", () => {
    for (let seed = 0; seed < Generator.cases(200); seed++) {
      const coverage = coverageOf(Generator.make(seed))
      for (const lane of CoverageLanes.make(coverage, { from: Run.T0, to: end })) {
        const own = coverage.filter(({ operation }) => operation === lane.operation)
        assert.strictEqual(lane.segments[0]?.from, Run.T0)
        assert.strictEqual(lane.segments.at(-1)?.to, end)
        lane.segments.forEach(({ from, state, to }, index) => {
          if (index > 0) assert.strictEqual(from, lane.segments[index - 1]?.to)
          for (let at = from; at < to; at++) assert.strictEqual(state, stateAt(own, at), `seed ${seed} at ${at}`)
        })
      }
    }
  })

  it("names why a gap is one", () => {
    const gap = { code: "failed-page" as const, detail: "HTTP 503" }
    const part = {
      operation: "deposits" as const,
      from: Run.T0,
      to: end,
      readAt: end,
      state: "incomplete" as const,
      gap
    }
    const [deposits, transfers] = CoverageLanes.make([part], { from: Run.T0, to: end })
    assert.deepStrictEqual(deposits?.segments, [{ from: Run.T0, to: end, state: "gap", details: ["HTTP 503"] }])
    assert.deepStrictEqual(transfers?.segments, [{ from: Run.T0, to: end, state: "unread", details: [] }])
  })
})
