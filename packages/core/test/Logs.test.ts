import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import * as Pause from "../src/internal/time/Pause.ts"
import * as Service from "./support/service.ts"

const key: Broker.CreateApiKey = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "n" }

/** Runs a call to its end under virtual time and gives what was logged, as `LEVEL text`. */
const logged = <A, E>(
  handler: Service.Handler,
  call: (broker: Broker.Service) => Effect.Effect<A, E>,
  time?: Service.Reply
) =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    yield* Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_000)
      const broker = yield* Service.broker(Service.make(handler, time))
      const fiber = yield* Effect.forkChild(Effect.exit(call(broker)))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
    }).pipe(
      Effect.provide(Logger.layer([logger])),
      Effect.provideService(References.MinimumLogLevel, "All")
    )
    return lines
  })

const list = () => Service.json([])

describe("the client logs", () => {
  it.effect("nothing but the reading of the clock where all goes well", () =>
    Effect.gen(function*() {
      const lines = yield* logged(list, (broker) => broker.subAccountDeposits(), Service.timeAhead(-1500))
      assert.deepStrictEqual(lines, ["Debug The service's clock is -1500 ms from this machine's."])
    }))

  it.effect("at debug level each repetition, why, and after how long", () =>
    Effect.gen(function*() {
      const [clock, first, second, ...rest] = yield* logged(
        (_, n) => n === 0 ? Service.refusal(1, 503) : n === 1 ? Service.refusal(429, 429) : list(),
        (broker) => broker.subAccountDeposits()
      )
      assert.match(clock ?? "", /^Debug The service's clock/)
      assert.match(first ?? "", /^Debug subAccountDeposits is tried again after (1[2-9]\d|2[0-5]\d) ms: Unavailable\.$/)
      assert.strictEqual(second, "Debug subAccountDeposits is tried again after 1000 ms: RateLimited.")
      assert.deepStrictEqual(rest, [])
    }))

  it.effect("a second reading of the clock before what it was read for is tried again", () =>
    Effect.gen(function*() {
      const lines = yield* logged((_, n) => n === 0 ? Service.refusal(700003) : list(), (broker) =>
        broker.createApiKey(key))
      assert.deepStrictEqual(
        lines.map((line) =>
          line.split(" ").slice(0, 4).join(" ")
        ),
        [
          "Debug The service's clock",
          "Debug The service's clock",
          "Debug createApiKey is tried"
        ]
      )
    }))

  it.effect("a warning for a pause of three seconds and more", () =>
    Effect.gen(function*() {
      const lines = yield* logged(
        (_, n) => n === 0 ? Service.refusal(1, 418, { "retry-after": "3" }) : list(),
        (broker) => broker.subAccountDeposits()
      )
      assert.deepStrictEqual(lines.slice(1), [
        "Warn The service asks to wait; nothing is sent for 3 s.",
        "Debug subAccountDeposits is tried again after 3000 ms: Banned."
      ])
    }))

  it.effect("one warning for a ban that answers several requests, and another for one that ends later", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const pause = Pause.make(Duration.minutes(5))
      const banned = pause.begin(new BrokerError.Banned({ until: 0, remaining: 60_000 }))
      const underWay = Effect.andThen(banned, TestClock.adjust(200))
      yield* Effect.replicateEffect(underWay, 14).pipe(
        Effect.andThen(TestClock.adjust("1 minute")),
        Effect.andThen(banned),
        Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
      )
      assert.deepStrictEqual(lines, Array(2).fill("The service asks to wait; nothing is sent for 60 s."))
    }))

  it.effect("nothing above debug level for failures that the caller is told", () =>
    Effect.gen(function*() {
      for (const code of [700001, 700002, 700007, 730705, 4242, 503]) {
        const lines = yield* logged(() => Service.refusal(code, code === 503 ? 503 : 400), (broker) =>
          broker.subAccountDeposits())
        for (const line of lines) {
          assert.match(line, /^Debug /)
        }
      }
    }))
})
