import { assert, describe, it } from "@effect/vitest"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const HOUR = 3_600_000

describe("a question for the time that fails slowly", () => {
  /** How long fifty calls at once take, ms. */
  const durations = Effect.fnUntraced(function*(service: Service.Service, changes: Partial<BrokerConfig.Options>) {
    yield* TestClock.setTime(NOW)
    const broker = yield* Service.broker(service, changes)
    const one = Effect.gen(function*() {
      const result = yield* Effect.result(broker.subAccountDeposits())
      return { result, took: (yield* Clock.currentTimeMillis) - NOW }
    })
    const fibers = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(one))
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 300 })
    for (const fiber of fibers) assert.isDefined(fiber.pollUnsafe(), "still waiting")
    return yield* Effect.forEach(fibers, Fiber.join)
  })
  const unreachable = (seconds: number) =>
    Effect.andThen(
      Effect.sleep(seconds * 1000),
      Effect.suspend(() => Effect.fail(Service.transportError(HttpClientRequest.get("/"), "UND_ERR_CONNECT_TIMEOUT")))
    )

  it.effect("is asked once by all who wait for it, and holds each up once", () =>
    Effect.gen(function*() {
      const time = Effect.as(Effect.sleep("20 seconds"), Service.json({}, 503))
      const service = Service.make(() => Service.json([]), time)
      for (const { result, took } of yield* durations(service, {})) {
        assert.isTrue(Result.isSuccess(result))
        assert.isBelow(took, 30_000)
      }
      assert.strictEqual(service.timeRequests.length, 1)
    }))

  it.effect("is asked once, too, by all who were refused", () =>
    Effect.gen(function*() {
      let asked = 0
      const time = Effect.suspend(() => {
        asked++
        if (asked === 1) return Effect.succeed(Service.json({}, 503))
        if (asked === 2) return Effect.as(Effect.sleep("20 seconds"), Service.json({}, 503))
        return Service.timeAhead(HOUR)
      })
      const service = Service.make(({ at, url }) =>
        Number(url.searchParams.get("timestamp")) < at + HOUR - 5000 ? Service.refusal(700003) : Service.json([]), time)
      for (const { result, took } of yield* durations(service, {})) {
        assert.isTrue(Result.isSuccess(result))
        assert.isBelow(took, 30_000)
      }
      assert.strictEqual(asked, 3)
    }))

  it.effect("counts in the time that attempts may take together", () =>
    Effect.gen(function*() {
      const service = Service.make(() => unreachable(1), unreachable(20))
      const calls = yield* durations(service, { retries: 100, retryBudget: "1 minute" })
      for (const { result, took } of calls) {
        assert.isTrue(Result.isFailure(result))
        assert.isAtMost(took, 60_000 + 21_000)
      }
    }))

  it.effect("does not count while it waits for its permit", () =>
    Effect.gen(function*() {
      const service = Service.make(
        (_, n) => n < 100 ? Service.refusal(1, 503) : Service.json([]),
        Effect.sync(() => Service.json({}, 503))
      )
      const rate = { requests: 2, window: Duration.seconds(1) }
      const calls = yield* durations(service, { retries: 100, retryBudget: "15 seconds", rate })
      for (const { result } of calls) assert.isTrue(Result.isSuccess(result))
      assert.isAbove(Math.max(...calls.map(({ took }) => took)), 60_000)
    }))
})
