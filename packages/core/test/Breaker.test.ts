import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Timeline from "@tallystick/core/Timeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Service from "./support/service.ts"

/** Lets the time pass that an effect takes, a little at a time: the clock waits for no fiber that works for long. */
const inTime = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const begin = yield* Clock.currentTimeMillis
  const fiber = yield* Effect.forkChild(
    Effect.flatMap(effect, (result) => Effect.map(Clock.currentTimeMillis, (now) => ({ result, took: now - begin })))
  )
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
  return yield* Fiber.join(fiber)
})

const list = () => Service.json([])
const firewall = () => new Response("<html>blocked</html>", { status: 403, headers: { "content-type": "text/html" } })

/** Makes so many calls, some at once, and tells how each ended and when each request was seen, ms from the first call on. */
const calls = Effect.fnUntraced(function*(broker: Broker.Service, count: number, concurrency = 8) {
  const { result: results, took } = yield* inTime(Effect.forEach(
    Array.from({ length: count }),
    () => Effect.result(broker.subAccountDeposits()),
    { concurrency }
  ))
  return { took, reasons: results.flatMap((result) => Result.isFailure(result) ? [result.failure.reason] : []) }
})

describe("a service that answers nothing", () => {
  it.effect("costs a thousand calls as much as one, and the last ones say that it was not asked, and why", () =>
    Effect.gen(function*() {
      const service = Service.make(({ request }) => Effect.fail(Service.transportError(request, "ECONNREFUSED")))
      const broker = yield* Service.broker(service)
      const { reasons, took } = yield* calls(broker, 1000)
      assert.lengthOf(reasons, 1000)
      assert.isAtMost(service.seen.length, 20)
      assert.isAtMost(took, 12_000)
      const last = reasons.at(-1)
      assert.deepInclude(last, { _tag: "Unavailable", attempts: 0, sent: false })
      assert.match(
        last?.message ?? "",
        /^the service was not asked, because the requests before failed: .*ECONNREFUSED/
      )
    }))

  it.effect("costs scans of a thousand slices as little, although each of them wants to know the service's time", () =>
    Effect.gen(function*() {
      const refused = Effect.suspend(() =>
        Effect.fail(Service.transportError(HttpClientRequest.get("/"), "ECONNREFUSED"))
      )
      const service = Service.make(() => refused, refused)
      const broker = yield* Service.broker(service, { conventions: { sliceLength: 60_000 } })
      const to = Date.UTC(2026, 0, 1)
      yield* TestClock.setTime(to)
      const scan = Stream.runCollect(broker.scanUniversalTransfers({
        from: to - 1000 * 60_000,
        to,
        fromAccountType: "SPOT",
        toAccountType: "SPOT"
      }))
      const { result: slices, took } = yield* inTime(scan)
      assert.isAtLeast(slices.length, 999)
      assert.isTrue(slices.every(({ coverage }) => coverage.every(({ state }) => state === "incomplete")))
      assert.isAtMost(service.seen.length + service.timeRequests.length, 40)
      assert.isAtMost(took, 15_000)
    }))

  it.effect("makes one gap of the range of a scan that begins while nothing is asked, and of no part that was forgotten", () =>
    Effect.gen(function*() {
      const service = Service.make(({ request }) => Effect.fail(Service.transportError(request, "ECONNREFUSED")))
      const broker = yield* Service.broker(service)
      const to = Date.UTC(2026, 0, 1)
      const [from, kept] = [to - 80 * 3_600_000, to - broker.conventions.depositHistory]
      yield* TestClock.setTime(to)
      yield* calls(broker, 1000)
      const before = service.seen.length
      const slices = yield* Stream.runCollect(broker.scanSubAccountDeposits({ from, to }))
      assert.strictEqual(service.seen.length, before)
      assert.lengthOf(slices, 1)
      const coverage = slices.flatMap(({ coverage }) => coverage)
      assert.isTrue(coverage.every(({ state }) => state === "incomplete"))
      assert.deepStrictEqual(coverage.map(({ gap }) => gap?.code).slice(0, 2), ["retention", "failed-page"])
      assert.isAtLeast(coverage[0]?.to ?? 0, kept)
      assert.deepStrictEqual(Timeline.gaps(coverage, { from, to }), [])
      assert.include(coverage.at(-1)?.gap?.detail, "the service was not asked, because the requests before failed")
    }))

  it.effect("is met with a dozen signed requests where a firewall answers in its place", () =>
    Effect.gen(function*() {
      const service = Service.make(firewall)
      const broker = yield* Service.broker(service)
      const { reasons } = yield* calls(broker, 1000, 4)
      assert.lengthOf(reasons, 1000)
      assert.isAtMost(service.seen.length, 12)
      assert.include(reasons.at(-1)?.message, "HTTP 403")
    }))

  it.effect("loses no call when it answers again while the calls wait", () =>
    Effect.gen(function*() {
      let firstAt = Number.NaN
      const service = Service.make(({ at, request }, n) => {
        if (n === 0) firstAt = at
        return at < firstAt + 3000 ? Effect.fail(Service.transportError(request, "ECONNRESET")) : list()
      })
      const broker = yield* Service.broker(service)
      const { reasons, took } = yield* calls(broker, 200)
      assert.deepStrictEqual(reasons, [])
      assert.isAtMost(took, 60_000)
    }))

  it.effect("is asked one request at a time, at growing distance, by calls that come later", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.refusal(1, 503))
      const broker = yield* Service.broker(service)
      yield* calls(broker, 20)
      const before = service.seen.length
      for (let round = 0; round < 3; round++) {
        yield* TestClock.adjust("1 hour")
        yield* calls(broker, 50)
        assert.strictEqual(service.seen.length, before + round + 1)
      }
    }))

  it.effect("is asked at once for what must not be sent twice", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.refusal(1, 503))
      const broker = yield* Service.broker(service)
      yield* calls(broker, 20)
      yield* TestClock.adjust("1 hour")
      const before = service.seen.length
      yield* Effect.flip(broker.createApiKey({ subAccount: "a", permissions: ["SPOT_ACCOUNT_READ"], note: "n" }))
      assert.strictEqual(service.seen.length, before + 1)
    }))

  it.effect("is not what one call alone makes of answers that are cut on the way, so that the next one is sent at once", () =>
    Effect.gen(function*() {
      const service = Service.make((_, n) => n < 6 ? new Response(Uint8Array.of(0xff)) : list())
      const broker = yield* Service.broker(service)
      const { reasons } = yield* calls(broker, 2, 1)
      assert.deepStrictEqual(reasons.map(({ _tag }) => _tag), ["ProtocolError"])
      assert.strictEqual(service.seen.length, 7)
      assert.strictEqual(service.seen[6]?.at, service.seen[5]?.at)
    }))

  it.effect("does not count for refusals that are the service's own", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.refusal(700_004))
      const broker = yield* Service.broker(service)
      const { reasons } = yield* calls(broker, 30)
      assert.lengthOf(reasons.filter((reason) => reason instanceof BrokerError.Unavailable), 0)
      assert.strictEqual(service.seen.length, 30)
    }))
})
