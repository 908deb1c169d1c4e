import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
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
})
