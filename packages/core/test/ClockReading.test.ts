import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const read = (service: Service.Service, changes = {}) =>
  Effect.gen(function*() {
    const broker = yield* Effect.orDie(Service.broker(service, changes))
    const fiber = yield* Effect.forkChild(Effect.result(broker.clock))
    yield* TestClock.adjust("1 minute")
    return yield* Effect.fromResult(yield* Fiber.join(fiber))
  })

const answering = (time: Service.Reply) => Service.make(() => Service.json([]), time)

describe("a reading of the service's clock", () => {
  it.effect.each([-3_600_000, -700, 0, 5000])(
    "tells an offset of %d ms whatever the round trip, and how long that was",
    (ahead) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const slow = Effect.gen(function*() {
          yield* Effect.sleep(400)
          const serverTime = (yield* Clock.currentTimeMillis) + ahead
          yield* Effect.sleep(400)
          return Service.json({ serverTime })
        })
        assert.deepStrictEqual(yield* read(answering(slow)), Option.some({ offset: ahead, roundTrip: 800 }))
      })
  )

  it.effect("is none where the answer carries no time, and where the conventions say that there is none", () =>
    Effect.gen(function*() {
      const silent = answering(Effect.sync(() => Service.json({ ok: true })))
      assert.deepStrictEqual(yield* read(silent), Option.none())
      const off = answering(Effect.die("nobody may ask"))
      assert.deepStrictEqual(yield* read(off, { conventions: { serverTimePath: null } }), Option.none())
      assert.strictEqual(off.timeRequests.length, 0)
    }))

  it.effect("says why no time came, after one request", () =>
    Effect.gen(function*() {
      const moved = answering(Effect.sync(() => new Response(null, { status: 302, headers: { location: "/login" } })))
      const redirect = yield* Effect.flip(read(moved))
      assert.strictEqual(redirect.operation, "serverTime")
      assert.strictEqual(redirect.reason._tag, "ProtocolError")
      const down = answering(Effect.sync(() => Service.json({}, 503)))
      assert.strictEqual((yield* Effect.flip(read(down))).reason._tag, "Unavailable")
      assert.strictEqual(down.timeRequests.length, 1)
    }))

  it.effect("carries the transport's own word for what failed", () =>
    Effect.gen(function*() {
      const client = HttpClient.make((request) => Effect.fail(Service.transportError(request, "ENOTFOUND")))
      const { reason } = yield* Effect.flip(read({ ...answering(Effect.die("")), client }))
      assert(reason._tag === "Unavailable")
      assert.strictEqual(reason.code, "ENOTFOUND")
      assert.isFalse(reason.sent)
    }))

  it.effect("that is refused for a while says for how long, and holds back what follows", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const service = answering(Effect.sync(() => Service.json({}, 418, { "retry-after": "600" })))
      const broker = yield* Service.broker(service, { retries: 0, maxWait: 0 })
      const banned = (yield* Effect.flip(broker.clock)).reason
      assert(banned._tag === "Banned")
      assert.deepStrictEqual([banned.remaining, banned.until], [600_000, NOW + 600_000])
      assert.strictEqual((yield* Effect.flip(broker.subAccountDeposits())).reason._tag, "Banned")
      assert.strictEqual(service.seen.length, 0)
    }))

  it.effect("agrees with itself in memory", () =>
    Effect.gen(function*() {
      const { clock } = yield* Broker.Broker
      assert.deepStrictEqual(yield* clock, Option.some({ offset: 0, roundTrip: 0 }))
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))
})
