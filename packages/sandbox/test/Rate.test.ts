import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { DEPOSITS, NOW, TIME } = Client

describe("the rate limit", () => {
  const bursts = Effect.fnUntraced(function*(exchange: Effect.Success<ReturnType<typeof Client.make>>, count: number) {
    const statuses: Array<number> = []
    for (let i = 0; i < count; i++) statuses.push((yield* Client.send(exchange, "GET", TIME)).status)
    return statuses
  })
  const rate = { limit: 20, window: 1000, patience: 2, ban: 60 }

  it.effect("lets 20 requests through in any second, whatever they ask", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ rules: { rate } })
      assert.deepStrictEqual(new Set(yield* bursts(exchange, 10)), new Set([200]))
      yield* TestClock.adjust(900)
      assert.deepStrictEqual(new Set(yield* bursts(exchange, 10)), new Set([200]))
      yield* TestClock.adjust(99)
      const refused = yield* Client.send(exchange, "GET", DEPOSITS)
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers["retry-after"], "1")
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(yield* bursts(exchange, 1), [200])
    }))

  it.effect("bans those who do not wait, until Retry-After has passed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ rules: { rate } })
      assert.deepStrictEqual((yield* bursts(exchange, 24)).slice(20), [429, 429, 429, 418])
      yield* TestClock.adjust(20_000)
      const banned = yield* Client.send(exchange, "GET", DEPOSITS)
      assert.strictEqual(banned.status, 418)
      assert.strictEqual(banned.headers["retry-after"], "40")
      yield* TestClock.adjust(40_000)
      assert.deepStrictEqual(yield* bursts(exchange, 1), [200])
    }))

  it.effect("can be turned off", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make({ rules: { rate: null } })
      assert.deepStrictEqual(new Set(yield* bursts(exchange, 500)), new Set([200]))
    }))
})
