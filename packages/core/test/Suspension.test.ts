import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Machine from "./support/machine.ts"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const HOUR = 3_600_000

describe("a machine that was suspended", () => {
  it.effect("asks for the time with its next request, once, and sends none that has grown too old", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const machine = yield* Machine.make
      const truly = Effect.provideService(Clock.Clock, machine.truth)
      const now = truly(Clock.currentTimeMillis)
      const service = Service.make(({ url }) =>
        Effect.map(now, (now) => {
          const timestamp = Number(url.searchParams.get("timestamp"))
          return timestamp < now + 1000 && now - timestamp <= 5000 ? Service.json([]) : Service.refusal(700003)
        }), Effect.map(now, (serverTime) => Service.json({ serverTime })))
      yield* Effect.gen(function*() {
        const broker = yield* Service.broker(service)
        yield* broker.subAccountDeposits()
        for (const ms of [3000, HOUR, 100 * HOUR]) {
          const [requests, questions] = [service.seen.length, service.timeRequests.length]
          machine.suspend(ms)
          assert.strictEqual(yield* broker.serverTime, yield* now)
          yield* broker.subAccountDeposits()
          assert.strictEqual(service.seen.length - requests, 1)
          assert.strictEqual(service.timeRequests.length - questions, 1)
        }
        machine.set(24 * HOUR)
        for (let calls = 0; calls < 5; calls++) yield* broker.subAccountDeposits()
        machine.set(-25 * HOUR)
        for (let calls = 0; calls < 5; calls++) yield* broker.subAccountDeposits()
        assert.strictEqual(yield* broker.serverTime, yield* now)
        assert.strictEqual(service.seen.length, 14)
        assert.strictEqual(service.timeRequests.length, 5)
      }).pipe(Effect.provideService(Clock.Clock, machine.clock))
    }))

  it.effect("asks at most once a minute while it is not told, and no request waits for that", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const machine = yield* Machine.make
      const now = Effect.provideService(Clock.currentTimeMillis, Clock.Clock, machine.truth)
      let isTold = true
      const time = Effect.suspend((): Service.Reply =>
        isTold
          ? Effect.map(now, (serverTime) => Service.json({ serverTime }))
          : Effect.sync(() => Service.json({}, 503))
      )
      const service = Service.make(() => Service.json([]), time)
      yield* Effect.gen(function*() {
        const broker = yield* Service.broker(service)
        yield* broker.subAccountDeposits()
        machine.suspend(HOUR)
        isTold = false
        for (let calls = 0; calls < 5; calls++) yield* broker.subAccountDeposits()
        assert.strictEqual(service.timeRequests.length, 2)
        isTold = true
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(yield* broker.serverTime, yield* now)
        assert.strictEqual(service.timeRequests.length, 3)
      }).pipe(Effect.provideService(Clock.Clock, machine.clock))
    }))
})
