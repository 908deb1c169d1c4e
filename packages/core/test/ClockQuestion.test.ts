import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
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
        (_, n) => n % 2 === 0 ? Service.refusal(1, 503) : Service.json([]),
        Effect.sync(() => Service.json({}, 503))
      )
      const rate = { requests: 1, window: Duration.seconds(1) }
      const calls = yield* durations(service, { retries: 100, retryBudget: "15 seconds", rate })
      for (const { result } of calls) assert.isTrue(Result.isSuccess(result))
      assert.isAbove(Math.max(...calls.map(({ took }) => took)), 60_000)
    }))
})

describe("a question for the time that takes long", () => {
  /** A service that judges times by its own rule and clock. Its answers about the time are under way for `slow` ms. */
  const strict = () => {
    const state = { ahead: 0, slow: 0 }
    const server = Effect.map(Clock.currentTimeMillis, (now) => now + state.ahead)
    const time = Effect.gen(function*() {
      const serverTime = yield* server
      yield* Effect.sleep(state.slow)
      return Service.json({ serverTime })
    })
    const service = Service.make(({ url }) =>
      Effect.map(server, (now) => {
        const timestamp = Number(url.searchParams.get("timestamp"))
        return timestamp < now + 1000 && now - timestamp <= 5000 ? Service.json([]) : Service.refusal(700003)
      }), time)
    return { service, state }
  }
  const deposits = (broker: Broker.Broker["Service"]) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Effect.result(broker.subAccountDeposits()))
      yield* TestClock.adjust("1 minute")
      return Result.isSuccess(yield* Fiber.join(fiber))
    })

  it.effect("does not replace a sharper reading, which is asked for again", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { service, state } = strict()
      const broker = yield* Service.broker(service)
      assert.isTrue(yield* deposits(broker))
      yield* TestClock.adjust("11 minutes")
      state.slow = 4000
      assert.isTrue(yield* deposits(broker))
      const [, second] = service.seen
      assert.strictEqual(Number(second?.url.searchParams.get("timestamp")), second?.at)
      yield* TestClock.adjust("1 minute")
      assert.isTrue(yield* deposits(broker))
      assert.strictEqual(service.timeRequests.length, 3)
      assert.strictEqual(service.seen.length, 3)
    }))

  it.effect("replaces a sharper reading that it contradicts", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { service, state } = strict()
      const broker = yield* Service.broker(service)
      assert.isTrue(yield* deposits(broker))
      yield* TestClock.adjust("11 minutes")
      state.ahead = HOUR
      state.slow = 4000
      assert.isTrue(yield* deposits(broker))
      assert.strictEqual(service.seen.length, 2)
    }))

  it.effect("replaces a sharper reading that the service refused", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { service, state } = strict()
      const broker = yield* Service.broker(service)
      assert.isTrue(yield* deposits(broker))
      state.ahead = 6000
      state.slow = 8000
      assert.isTrue(yield* deposits(broker))
      assert.strictEqual(service.seen.length, 3)
      assert.strictEqual(service.timeRequests.length, 2)
    }))

  it.effect("is not believed against a sharper reading where the refused request took longer than it may be old", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { service, state } = strict()
      const slowly = HttpClient.make((request) =>
        request.url.includes("/time")
          ? service.client.execute(request)
          : Effect.andThen(Effect.sleep(service.seen.length === 1 ? 6000 : 0), service.client.execute(request))
      )
      const broker = yield* Service.broker({ ...service, client: slowly })
      assert.isTrue(yield* deposits(broker))
      state.slow = 3000
      assert.isTrue(yield* deposits(broker))
      const last = service.seen.at(-1)
      assert.strictEqual(Number(last?.url.searchParams.get("timestamp")), last?.at)
      assert.strictEqual(service.seen.length, 3)
    }))

  it.effect.each([[4000, 4000], [3500, 3500], [2500, 2400], [500, 7500]] as const)(
    "tells a time that is accepted at once where the way there takes %d ms and the way back %d ms",
    ([there, back]) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { service } = strict()
        const far = HttpClient.make((request) =>
          Effect.sleep(there).pipe(
            Effect.andThen(service.client.execute(request)),
            Effect.tap(() => Effect.sleep(back))
          )
        )
        const broker = yield* Service.broker({ ...service, client: far })
        assert.isTrue(yield* deposits(broker))
        assert.strictEqual(service.seen.length, 1)
      })
  )
})
