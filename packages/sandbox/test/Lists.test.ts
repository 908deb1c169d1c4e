import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { DEPOSITS, HOUR, NOW, refusal, TRANSFERS } = Client

describe("asking for lists", () => {
  const asking = (path: string, parameters: Client.Query) => refusal({}, "GET", path, parameters)
  const transfers = (parameters: Client.Query) => asking(TRANSFERS, { ...Client.ROUTE, ...parameters })
  const deposits = (parameters: Client.Query) => asking(DEPOSITS, parameters)

  it.effect("keeps page and limit within bounds", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* transfers({ limit: 500 }), 200)
      assert.strictEqual(yield* transfers({ limit: 501 }), 730002)
      assert.strictEqual(yield* deposits({ limit: 1000 }), 200)
      assert.strictEqual(yield* deposits({ limit: 1001 }), 730002)
      for (const ask of [transfers, deposits]) {
        assert.strictEqual(yield* ask({ limit: 0 }), 730002)
        assert.strictEqual(yield* ask({ page: 0 }), 730002)
        assert.strictEqual(yield* ask({ page: -1 }), 700008)
        assert.strictEqual(yield* ask({ page: "" }), 700004)
        assert.strictEqual(yield* ask({ limit: "1e2" }), 700008)
      }
    }))

  it.effect("refuses an interval that ends before it starts", () =>
    Effect.gen(function*() {
      for (const ask of [transfers, deposits]) {
        assert.strictEqual(yield* ask({ startTime: NOW, endTime: NOW }), 200)
        assert.strictEqual(yield* ask({ startTime: NOW, endTime: NOW - 1 }), 730002)
        assert.strictEqual(yield* ask({ startTime: "2023-11-14" }), 700008)
      }
    }))

  it.effect("needs both account types of a transfer, and a clientTranId of 32 letters and digits", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* asking(TRANSFERS, { toAccountType: "SPOT" }), 700004)
      assert.strictEqual(yield* asking(TRANSFERS, { fromAccountType: "SPOT" }), 700004)
      assert.strictEqual(yield* transfers({ clientTranId: "a".repeat(32) }), 200)
      assert.strictEqual(yield* transfers({ clientTranId: "a".repeat(31) }), 700008)
      assert.strictEqual(yield* transfers({ clientTranId: "-".repeat(32) }), 700008)
    }))

  it.effect("takes an absent account for the master and FUTURE for FUTURES", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({
        transfers: [
          Client.transfer("1", NOW - 4),
          Client.transfer("2", NOW - 3, { fromAccount: "master", toAccount: "sub00001" }),
          Client.transfer("3", NOW - 2, { toAccountType: "FUTURE" }),
          Client.transfer("4", NOW - 1, { toAccountType: "FUTURES" })
        ]
      })
      assert.deepStrictEqual(yield* Client.transferIds(exchange), ["1"])
      assert.deepStrictEqual(yield* Client.transferIds(exchange, { toAccount: "master" }), ["1"])
      assert.deepStrictEqual(
        yield* Client.transferIds(exchange, { fromAccount: "master", toAccount: "sub00001" }),
        ["2"]
      )
      assert.deepStrictEqual(yield* Client.transferIds(exchange, { toAccountType: "FUTURES" }), ["3", "4"])
      assert.deepStrictEqual(yield* Client.transferIds(exchange, { toAccountType: "FUTURE" }), ["3", "4"])
    }))

  it.effect("filters deposits by coin and status, transfers by clientTranId", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const stamp = "z".repeat(32)
      const exchange = yield* Client.make({
        deposits: [
          Client.deposit("a", NOW - 3),
          { ...Client.deposit("b", NOW - 2), coin: "BTC" },
          { ...Client.deposit("c", NOW - 1), status: 1 }
        ],
        transfers: [Client.transfer("1", NOW - 2), Client.transfer("2", NOW - 1, { clientTranId: stamp })]
      })
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { coin: "BTC" }), ["b"])
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { status: 1 }), ["c"])
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { status: 1, coin: "BTC" }), [])
      assert.deepStrictEqual(yield* Client.transferIds(exchange, { clientTranId: stamp }), ["2"])
    }))

  it.effect("tells deposits of the last 72 hours by its own clock, whatever is asked", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({
        deposits: [Client.deposit("old", NOW - 72 * HOUR - 1), Client.deposit("edge", NOW - 72 * HOUR)]
      })
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { startTime: 0 }), ["edge"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Client.depositIds(exchange, { startTime: 0 }), [])
    }))

  it.effect("tells deposits from midnight three days ago by option", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const midnight = Math.floor(NOW / (24 * HOUR)) * 24 * HOUR - 72 * HOUR
      const deposits = [Client.deposit("before", midnight - 1), Client.deposit("after", midnight)]
      const utc = yield* Client.make({ deposits, rules: { rate: null, depositsFromMidnight: 0 } })
      assert.deepStrictEqual(yield* Client.depositIds(utc), ["after"])
      const east = yield* Client.make({ deposits, rules: { rate: null, depositsFromMidnight: 1 } })
      assert.deepStrictEqual(yield* Client.depositIds(east), ["before", "after"])
    }))

  it.effect("tells transfers of the last 7 days without times, and of 180 days with them", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({
        transfers: [
          Client.transfer("181 days", NOW - 181 * 24 * HOUR),
          Client.transfer("8 days", NOW - 8 * 24 * HOUR),
          Client.transfer("6 days", NOW - 6 * 24 * HOUR)
        ]
      })
      assert.deepStrictEqual(yield* Client.transferIds(exchange), ["6 days"])
      assert.deepStrictEqual(yield* Client.transferIds(exchange, { startTime: 0 }), ["8 days", "6 days"])
      assert.deepStrictEqual(yield* Client.transferIds(exchange, { endTime: NOW - 7 * 24 * HOUR }), ["8 days"])
    }))

  it.effect("tells nothing of the future until it is there", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ deposits: [Client.deposit("soon", NOW + 10)] })
      assert.deepStrictEqual(yield* Client.depositIds(exchange), [])
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(yield* Client.depositIds(exchange), ["soon"])
    }))
})
