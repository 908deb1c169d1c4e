import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as MonotonicClock from "../src/internal/time/MonotonicClock.ts"
import * as ServerClock from "../src/internal/time/ServerClock.ts"
import * as Machine from "./support/machine.ts"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const HOUR = 3_600_000

describe("coverage under a clock that is wrong", () => {
  const settle = 120_000

  const clocks = [-HOUR, -4000, 0, 4000, HOUR].flatMap((ahead) =>
    [-400e-6, 400e-6].map((drift) => [ahead, drift] as const)
  )

  it.effect.each(clocks)(
    "(by %d ms, drifting by %d) never reaches beyond what the service had when it answered, nor before what it still knew",
    ([ahead, drift]) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const server = Effect.map(Clock.currentTimeMillis, (now) => now + ahead + Math.floor((now - NOW) * drift))
        const answers: Array<number> = []
        const service = Service.make(
          () =>
            Effect.map(server, (now) => {
              answers.push(now)
              return Service.json([])
            }),
          Effect.map(server, (serverTime) => Service.json({ serverTime }))
        )
        const broker = yield* Service.broker(service)
        for (let round = 0; round < 5; round++) {
          answers.length = 0
          const now = yield* server
          const scan = broker.scanSubAccountDeposits({ from: now - 73 * HOUR, to: now + HOUR })
          const fiber = yield* Effect.forkChild(Stream.runCollect(scan))
          while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(1)
          const complete = (yield* Fiber.join(fiber)).flatMap(({ coverage }) => coverage).filter(({ state }) =>
            state === "complete"
          )
          assert.isAbove(complete.length, 0)
          for (const { from, to } of complete) {
            assert.isAtLeast(from, Math.min(...answers) - 72 * HOUR)
            assert.isAtMost(to, Math.max(...answers) - settle)
          }
          yield* TestClock.adjust("8 minutes")
        }
      })
  )

  it.effect("ends a settle time before the service answered, not before the answer came", () =>
    Effect.gen(function*() {
      const DELIVERY = 25_000
      yield* TestClock.setTime(NOW + HOUR)
      const server = Effect.map(Clock.currentTimeMillis, (now) => now - HOUR)
      let questions = 0
      // The first question is lost, so that the scan begins with this machine's clock, an hour ahead.
      const time = Effect.suspend(() =>
        questions++ === 0 ? Effect.never : Effect.map(server, (serverTime) => Service.json({ serverTime }))
      )
      const answered: Array<number> = []
      const service = Service.make(({ url }) =>
        Effect.gen(function*() {
          const now = yield* server
          if (Number(url.searchParams.get("timestamp")) >= now + 1000) return Service.refusal(700003)
          answered.push(now)
          yield* Effect.sleep(DELIVERY)
          return Service.json([])
        }), time)
      const broker = yield* Service.broker(service)
      const fiber = yield* Effect.forkChild(
        Stream.runCollect(broker.scanUniversalTransfers({
          fromAccountType: "SPOT",
          toAccountType: "SPOT",
          from: NOW - HOUR,
          to: NOW + HOUR / 2
        }))
      )
      yield* TestClock.adjust("1 hour")
      const coverage = (yield* Fiber.join(fiber)).flatMap((slice) => slice.coverage)
      const complete = coverage.filter(({ state }) => state === "complete")
      assert.isAbove(complete.length, 0)
      for (const { to } of complete) assert.isAtMost(to, Math.min(...answered) - settle)
    }))

  it.effect("counts from when a page was asked for although the clock was set right while it was on its way", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW + HOUR)
      const server = Effect.map(Clock.currentTimeMillis, (now) => now - HOUR)
      const reading = Effect.all({
        serverTime: server,
        answeredAt: MonotonicClock.millis,
        roundTrip: Effect.succeed(0)
      })
      const clock = yield* ServerClock.make(reading, 5000)
      const fiber = yield* Effect.forkChild(clock.during(Effect.as(Effect.sleep("30 seconds"), yield* server)))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* clock.resync(yield* MonotonicClock.millis), "measured")
      yield* TestClock.adjust("10 seconds")
      const [asked, { earliest, latest }] = yield* Fiber.join(fiber)
      assert.isAtMost(earliest, asked)
      assert.isAtLeast(earliest, asked - 100)
      assert.isAtLeast(latest, asked + 30_000)
    }))

  it.effect.each([-HOUR, 24 * HOUR])(
    "holds the true moment of a page where the only clock, this machine's, is set by %d ms while the page is on its way",
    (by) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const machine = yield* Machine.make
        const clock = yield* ServerClock.make(undefined, 5000)
        const fiber = yield* Effect.forkChild(
          clock.during(Effect.sleep("30 seconds")).pipe(Effect.provideService(Clock.Clock, machine.clock))
        )
        yield* TestClock.adjust("10 seconds")
        machine.set(by)
        yield* TestClock.adjust("20 seconds")
        const [, { earliest, latest }] = yield* Fiber.join(fiber)
        assert.isAtMost(earliest, NOW)
        assert.isAtLeast(latest, NOW + 30_000)
      })
  )
})
