import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as BrokerReconciliation from "../src/BrokerReconciliation.ts"
import type * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

const NOW = Run.T0 + 300 * Run.DAY

const transfer = (timestamp: number) => ({
  tranId: String(timestamp),
  fromAccount: "a",
  toAccount: "",
  clientTranId: "",
  asset: "BTC",
  fromSymbol: "",
  toSymbol: "",
  amount: "1",
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  status: "SUCCESS",
  timestamp
})

const day = (age: number) => {
  const from = NOW - age * Run.DAY
  return {
    range: { from, to: from + Run.DAY },
    accounts: { list: ["a"], complete: true }
  } satisfies Reconciliation.Asked
}

/** The report of the day that began so many days ago, as a whole and as a stream. */
const report = Effect.fnUntraced(function*(age: number) {
  yield* TestClock.setTime(NOW)
  const { range } = day(age)
  const memory = Broker.Broker.layerMemory({ deposits: [], transfers: [transfer(range.from + Run.HOUR)] })
  const whole = yield* Effect.provide(BrokerReconciliation.run(day(age)), memory)
  const events = yield* Effect.provide(Stream.runCollect(BrokerReconciliation.events(day(age))), memory)
  const last = events.at(-1)
  assert.deepStrictEqual(last?._tag === "Summary" ? last.summary.unread : undefined, whole.unread)
  return whole
})

describe("what the service has forgotten", () => {
  it.effect("is a gap that says so, and what helps, where it is not even asked for", () =>
    Effect.gen(function*() {
      const found = yield* report(30)
      assert.deepStrictEqual(found.unread.map(({ gap, operation }) => [operation, gap?.code]), [
        ["deposits", "retention"]
      ])
      const why = "the service answers for the last 96 hours only; an archive that is synced in time keeps it"
      assert.deepStrictEqual(found.outcomes.map(({ code, missing }) => [code, missing?.gap?.detail]), [
        ["coverage-gap", why]
      ])
    }))

  it.effect("is a gap also where the service still answers without knowing all", () =>
    Effect.gen(function*() {
      const found = yield* report(4)
      assert.isAbove(found.unread.length, 0)
      for (const { gap } of found.unread) {
        assert.strictEqual(gap?.code, "retention")
        assert.include(gap?.detail, "an archive that is synced in time keeps it")
      }
    }))

  it.effect("is none of a day that it knows", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* report(1.5)).unread, [])
    }))
})
