import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { NOW, TIME } = Client

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const arbitrary = { seed: 20_231_114, runs: 100 }

describe("paging to the empty page", () => {
  const Cases = {
    records: between(0, 60),
    perMillisecond: between(1, 5),
    limit: between(1, 20),
    pageCap: between(1, 20),
    order: Schema.Literals(["oldest-first", "newest-first"]),
    filtered: Schema.Boolean
  }

  it.effect.prop(
    "tells every record exactly once and in order, however long the pages",
    Cases,
    (given) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const deposits = Array.from(
          { length: given.records },
          (_, i) => Client.deposit(`d${i}`, NOW - 1000 + Math.floor(i / given.perMillisecond))
        )
        const exchange = yield* Client.make({ deposits, faults: { order: given.order, pageCap: given.pageCap } })
        const seen: Array<string> = []
        for (let page = 1; page <= given.records + 1; page++) {
          const ids = yield* Client.depositIds(exchange, {
            page,
            limit: given.limit,
            ...(given.filtered ? { coin: "USDT" } : {})
          })
          if (ids.length === 0) break
          seen.push(...ids)
        }
        const expected = deposits.map((deposit) => deposit.txId)
        assert.deepStrictEqual(seen, given.order === "oldest-first" ? expected : expected.toReversed())
      }),
    { arbitrary }
  )
})

describe("the sliding second", () => {
  it.effect.prop(
    "never holds more than 20 requests that were answered, whatever the pauses",
    { pauses: Schema.Array(between(0, 300)).check(Schema.isMinLength(60), Schema.isMaxLength(120)) },
    ({ pauses }) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const exchange = yield* Client.make({ rules: { rate: { limit: 20, window: 1000, patience: 1000, ban: 1 } } })
        for (const pause of pauses) {
          yield* TestClock.adjust(pause % 2 === 0 ? 0 : pause)
          yield* Client.send(exchange, "GET", TIME)
        }
        const answered = (yield* exchange.requests).filter(({ status }) => status === 200).map(({ at }) => at)
        for (const end of answered) {
          assert.isAtMost(answered.filter((at) => at > end - 1000 && at <= end).length, 20)
        }
      }),
    { arbitrary }
  )
})
