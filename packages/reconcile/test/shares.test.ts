import { assert, describe, it } from "@effect/vitest"
import * as Buckets from "../src/internal/report/Buckets.ts"
import * as Lags from "../src/internal/report/Lags.ts"
import * as Statistics from "../src/internal/report/Statistics.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const only = (input: Run.Input): Outcome.Outcome => {
  const { outcomes } = Run.match(input)
  assert.strictEqual(outcomes.length, 1)
  return outcomes[0]!
}

describe("what the totals take an outcome for", () => {
  it("a failed attempt leaves its deposit open, and its transfer moved nothing", () => {
    const outcome = only({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { status: "failed" })] })
    assert.deepStrictEqual(Buckets.sharesOf(outcome), {
      deposits: [{ bucket: "open", from: 0, to: 1 }],
      transfers: [{ bucket: "setAside", from: 0, to: 1 }]
    })
    assert.deepStrictEqual(Buckets.openEntries(outcome).map(({ id }) => id), ["d1", "t1"])
  })

  it("pairs of unlike amounts are open as long as nobody knows which they are", () => {
    const outcome = only({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: [transfer("t1", 5, { amount: "9.9" }), transfer("t2", 6, { amount: "10.1" })],
      policy: { tolerance: { absolute: "0.2" } }
    })
    assert.include(outcome, { code: "ambiguous", matchedCount: 1 })
    assert.deepStrictEqual(Buckets.sharesOf(outcome), {
      deposits: [{ bucket: "open", from: 0, to: 1 }],
      transfers: [{ bucket: "open", from: 0, to: 2 }]
    })
  })

  it("an age of just six hours is counted from six hours on", () => {
    const breaks = Statistics.breaks(null)
    breaks.add(only({ deposits: [deposit("d1", 0)] }))
    const counted = (asOf: number) =>
      Statistics.ages(breaks.sums(), Run.T0 + asOf).filter(({ outcomes }) => outcomes > 0)
    assert.deepStrictEqual(counted(6 * Run.HOUR).map(({ from }) => from), [6 * Run.HOUR])
    assert.deepStrictEqual(counted(6 * Run.HOUR - 1).map(({ to }) => to), [6 * Run.HOUR])
  })

  it("what is late is as old as its deposit", () => {
    const breaks = Statistics.breaks(null)
    breaks.add(only({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 61)] }))
    assert.deepStrictEqual(
      Statistics.ages(breaks.sums(), Run.T0 + Run.HOUR).filter(({ outcomes }) => outcomes > 0).map(({ from }) => from),
      [Run.HOUR]
    )
  })

  it("a lag is that of a stated pair, and the median one that occurred", () => {
    const lags = Lags.collector(null)
    for (
      const outcome of Run.match({
        deposits: [deposit("d1", 0), deposit("d2", 300), deposit("d3", 600), deposit("c1", 900), deposit("c2", 901)],
        transfers: [
          transfer("t1", 1),
          transfer("t2", 302),
          transfer("t3", 603),
          transfer("c3", 902),
          transfer("c4", 903)
        ]
      }).outcomes
    ) lags.add(outcome)
    const minutes = (count: number) => count * Run.MINUTE
    assert.deepStrictEqual(Lags.percentiles(lags.sums()), {
      count: 3,
      min: minutes(1),
      p50: minutes(2),
      p90: minutes(3),
      p99: minutes(3),
      max: minutes(3)
    })
  })
})
