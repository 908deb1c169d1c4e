import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const HOUR = 3_600_000

/** A service whose clock runs `ahead` of ours and that judges timestamps by its own rule; latencies are real to it. */
const strict = (ahead: () => number, latency: readonly [there: number, back: number] = [0, 0]) => {
  const [there, back] = latency
  const accepted: Array<number> = []
  const clock = Effect.map(Clock.currentTimeMillis, (now) => now + ahead())
  const time = Effect.gen(function*() {
    yield* Effect.sleep(there)
    const serverTime = yield* clock
    yield* Effect.sleep(back)
    return Service.json({ serverTime })
  })
  const service = Service.make(({ url }) =>
    Effect.gen(function*() {
      yield* Effect.sleep(there)
      const now = yield* clock
      const timestamp = Number(url.searchParams.get("timestamp"))
      const window = Number(url.searchParams.get("recvWindow"))
      yield* Effect.sleep(back)
      if (!(timestamp < now + 1000 && now - timestamp <= window)) return Service.refusal(700003)
      accepted.push(timestamp - now)
      return Service.json([])
    }), time)
  return { service, accepted }
}

/** Collects warnings. */
const warnings = () => {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn") lines.push(message)
  })
  return { lines, layer: Logger.layer([logger]) }
}

const call = (service: Service.Service, changes = {}) =>
  Effect.gen(function*() {
    const broker = yield* Service.broker(service, changes)
    const fiber = yield* Effect.forkChild(Effect.result(broker.subAccountDeposits()))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

describe("a clock that is wrong", () => {
  it.effect.each([-HOUR, -5000, 0, 900, 5000, HOUR])(
    "by %d ms is accepted, and never ahead of the service",
    (ahead) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        for (const latency of [[0, 0], [1, 300], [300, 1], [700, 700]] as const) {
          const { accepted, service } = strict(() => ahead, latency)
          assert.isTrue(Result.isSuccess(yield* call(service)))
          assert.strictEqual(service.seen.length, 1)
          assert.strictEqual(service.timeRequests.length, 1)
          for (const lead of accepted) assert.isAtMost(lead, 0)
        }
      })
  )

  it.effect("is not overestimated when the question travelled slowly and the request fast", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const time = Effect.gen(function*() {
        yield* Effect.sleep(900)
        const serverTime = yield* Clock.currentTimeMillis
        yield* Effect.sleep(700)
        return Service.json({ serverTime })
      })
      const service = Service.make(() => Service.json([]), time)
      assert.isTrue(Result.isSuccess(yield* call(service)))
      const [seen] = service.seen
      assert.strictEqual(Number(seen?.url.searchParams.get("timestamp")), NOW + 900)
      assert.strictEqual(seen?.at, NOW + 1600)
    }))

  it.effect("and jumps costs one re-sync, shared by all fibers", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      let ahead = 0
      const { service } = strict(() => ahead, [20, 20])
      const broker = yield* Service.broker(service)
      const warm = yield* Effect.forkChild(broker.subAccountDeposits())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(warm)
      for (const jump of [HOUR, -HOUR]) {
        ahead += jump
        const before = [service.seen.length, service.timeRequests.length] as const
        const fibers = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => Effect.forkChild(broker.subAccountDeposits())
        )
        yield* TestClock.adjust("10 seconds")
        yield* Effect.forEach(fibers, Fiber.join)
        assert.strictEqual(service.timeRequests.length - before[1], 1)
        assert.strictEqual(service.seen.length - before[0], 20)
      }
    }))

  it.effect("is asked for again although the first question came during the refused attempt", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      let asked = 0
      const time = Effect.gen(function*() {
        yield* Effect.sleep(40)
        const now = yield* Clock.currentTimeMillis
        return ++asked === 1 ? Service.refusal(1, 503) : Service.json({ serverTime: now + HOUR })
      })
      const service = Service.make(
        ({ at, url }) =>
          Math.abs(Number(url.searchParams.get("timestamp")) - at - HOUR) < 1000
            ? Service.json([])
            : Service.refusal(700003),
        time
      )
      assert.isTrue(Result.isSuccess(yield* call(service)))
      assert.strictEqual(asked, 2)
    }))

  it.effect("fails after one re-sync when the service refuses for good, and tells the offset", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const service = Service.make(() => Service.refusal(700003), Service.timeAhead(-7000))
      const result = yield* call(service)
      assert.strictEqual(service.seen.length, 2)
      assert.strictEqual(service.timeRequests.length, 2)
      const error = Result.getOrThrow(Result.flip(result))
      assert.deepInclude(error.reason, { _tag: "ClockSkew", offset: -7000 })
      assert.include(error.message, "-7000 ms")
    }))
})

describe("a service that does not tell its time", () => {
  const answers: ReadonlyArray<readonly [string, Service.Reply]> = [
    ["404", Effect.sync(() => Service.json({}, 404))],
    ["HTML", Effect.sync(() => new Response("<html>"))],
    ["an empty body", Effect.sync(() => new Response(""))],
    ["other JSON", Effect.sync(() => Service.json({ time: 1 }))],
    ["time as text", Effect.sync(() => Service.json({ serverTime: "soon" }))],
    ["a fraction", Effect.sync(() => Service.json({ serverTime: 1.5 }))],
    ["null", Effect.sync(() => Service.json(null))],
    ["an error", Effect.sync(() => Service.refusal(700004))],
    ["silence", Effect.never]
  ]

  it.effect.each(answers)(
    "is trusted to have ours, with exactly one warning: %s",
    ([, time]) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { layer, lines } = warnings()
        const service = Service.make(() => Service.json([]), time)
        yield* Effect.gen(function*() {
          const broker = yield* Service.broker(service)
          const fibers = yield* Effect.forEach(
            Array.from({ length: 5 }),
            () => Effect.forkChild(Effect.andThen(broker.subAccountDeposits(), broker.subAccountDeposits()))
          )
          yield* TestClock.adjust("1 minute")
          yield* Effect.forEach(fibers, Fiber.join)
          assert.strictEqual(yield* broker.serverTime, NOW + 60_000)
        }).pipe(Effect.provide(layer))
        assert.strictEqual(service.seen.length, 10)
        for (const { at, url } of service.seen) assert.strictEqual(Number(url.searchParams.get("timestamp")), at)
        assert.strictEqual(service.timeRequests.length, 1)
        assert.strictEqual(lines.length, 1)
      })
  )

  it.effect("fails a refused time without sending again, after asking once more", () =>
    Effect.gen(function*() {
      const { layer, lines } = warnings()
      const service = Service.make(() => Service.refusal(700003), Effect.sync(() => Service.json({}, 404)))
      const result = yield* call(service).pipe(Effect.provide(layer))
      assert.isTrue(Result.isFailure(result))
      assert.strictEqual(lines.length, 1)
      assert.strictEqual(service.seen.length, 1)
      assert.strictEqual(service.timeRequests.length, 2)
    }))

  it.effect("is neither asked nor warned about when the convention says so", () =>
    Effect.gen(function*() {
      const { layer, lines } = warnings()
      const service = Service.make(() => Service.json([]))
      yield* call(service, { conventions: { serverTimePath: null } }).pipe(Effect.provide(layer))
      assert.strictEqual(service.timeRequests.length, 0)
      assert.strictEqual(lines.length, 0)
    }))
})

describe("the question for the time", () => {
  it.effect("is unsigned and carries no key", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.json([]))
      yield* call(service)
      const [asked] = service.timeRequests
      assert.strictEqual(asked?.url.href, "https://api.example.test/prefix/api/v3/time")
      assert.notInclude(JSON.stringify(asked?.request.headers), Service.API_KEY)
    }))
})

describe("a service that cannot be asked for its time right now", () => {
  it.effect.each([503, 429])(
    "is asked again, without a warning that would not be true: %d",
    (status) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { layer, lines } = warnings()
        let asked = 0
        const time = Effect.gen(function*() {
          asked++
          const now = yield* Clock.currentTimeMillis
          return asked === 1 ? Service.json({}, status) : Service.json({ serverTime: now + 7_200_000 })
        })
        const service = Service.make(() => Service.json([]), time)
        yield* Effect.gen(function*() {
          const broker = yield* Service.broker(service)
          yield* broker.subAccountDeposits().pipe(Effect.forkChild, Effect.tap(() => TestClock.adjust("1 minute")))
          const server = yield* broker.serverTime
          assert.isAtLeast(server, NOW + 7_200_000)
        }).pipe(Effect.provide(layer))
        assert.isAtLeast(asked, 2)
        assert.deepStrictEqual(lines, [])
      })
  )
})

describe("a re-sync whose answer is lost", () => {
  const lost: ReadonlyArray<readonly [string, Service.Reply]> = [
    ["a reset", Effect.suspend(() => Effect.fail(Service.transportError(HttpClientRequest.get("/"), "ECONNRESET")))],
    ["JSON cut short", Effect.sync(() => new Response("{", { headers: { "content-type": "application/json" } }))],
    ["a firewall's page", Effect.sync(() => new Response("<html>", { headers: { "content-type": "text/html" } }))],
    ["silence", Effect.never],
    ["a bad gateway", Effect.sync(() => new Response("", { status: 502 }))]
  ]

  /** Ten seconds of silence are enough for these tests. */
  const changes = { timeout: "10 seconds" } as const

  it.effect.each(lost)("is tried again: %s", ([, reply]) =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      let questions = 0
      const time = Effect.suspend(() => ++questions < 3 ? reply : Service.timeAhead(HOUR))
      const service = Service.make(({ at, url }) =>
        Math.abs(Number(url.searchParams.get("timestamp")) - at - HOUR) < 1000
          ? Service.json([])
          : Service.refusal(700003), time)
      assert.isTrue(Result.isSuccess(yield* call(service, changes)))
      assert.strictEqual(questions, 3)
    }))

  it.effect("is given up when attempts are used up, and the error tells the offset", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const service = Service.make(() => Service.refusal(700003), Effect.sync(() => new Response("", { status: 502 })))
      const result = yield* call(service, { ...changes, retries: 3 })
      assert.strictEqual(service.seen.length, 4)
      assert.deepInclude(Result.getOrThrow(Result.flip(result)).reason, { _tag: "ClockSkew", offset: 0 })
    }))
})

describe("a local clock that drifts, jumps and is wrong", () => {
  const wrongs = [-HOUR, -90_000, 0, 90_000, HOUR]
  const drifts = [-500e-6, -20e-6, 0, 20e-6, 500e-6]
  const cases = wrongs.flatMap((wrong) => drifts.map((drift) => [wrong, drift] as const))

  it.effect.each(cases)(
    "(by %d ms, drifting by %d) is corrected so that requests are accepted for two days, and server time is bracketed",
    ([wrong, drift]) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const start = yield* Clock.currentTimeMillis
        const server = Effect.map(Clock.currentTimeMillis, (now) => now + wrong + Math.floor((now - start) * drift))
        const time = Effect.map(server, (serverTime) => Service.json({ serverTime }))
        const service = Service.make(({ url }) =>
          Effect.map(server, (now) => {
            const timestamp = Number(url.searchParams.get("timestamp"))
            return timestamp < now + 1000 && now - timestamp <= 5000 ? Service.json([]) : Service.refusal(700003)
          }), time)
        const broker = yield* Service.broker(service)
        for (let call = 0; call < 96; call++) {
          yield* broker.subAccountDeposits()
          assert.isAtMost(yield* broker.serverTime, yield* server)
          yield* TestClock.adjust("30 minutes")
        }
        assert.strictEqual(service.seen.length, 96)
        assert.isAtMost(service.timeRequests.length, 97)
      })
  )

  it.effect("costs at most one re-sync for each jump of the service's clock, however far", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      let ahead = 0
      const { service } = strict(() => ahead)
      const broker = yield* Service.broker(service)
      for (const jump of [0, HOUR, -2 * HOUR, 6000, -1500, 24 * HOUR]) {
        ahead += jump
        const before = service.seen.length
        yield* broker.subAccountDeposits()
        assert.isAtMost(service.seen.length - before, 2)
        yield* TestClock.adjust("1 minute")
      }
    }))

  it.effect("changes nothing where only the wall clock is set", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      let back = 0
      const { service } = strict(() => back)
      const broker = yield* Service.broker(service)
      yield* broker.subAccountDeposits()
      back = HOUR
      yield* TestClock.setTime(NOW - back)
      assert.strictEqual(yield* broker.serverTime, NOW)
      yield* broker.subAccountDeposits()
      assert.strictEqual(service.seen.length, 2)
      assert.strictEqual(service.timeRequests.length, 1)
    }))
})

describe("a measurement that has become old", () => {
  /** A service whose clock jumps unnoticed, and may stop telling its time. */
  const telling = () => {
    const state = { ahead: 0, answer: "time" as "time" | "503" | "404" | "silence" }
    const time = Effect.suspend((): Service.Reply => {
      if (state.answer === "silence") return Effect.never
      return state.answer === "time"
        ? Service.timeAhead(state.ahead)
        : Effect.sync(() => Service.json({}, Number(state.answer)))
    })
    return { state, service: Service.make(() => Service.json([]), time) }
  }

  it.effect("is replaced after ten minutes, once for all fibers", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { service, state } = telling()
      const broker = yield* Service.broker(service)
      assert.strictEqual(yield* broker.serverTime, NOW)
      state.ahead = 3000
      yield* TestClock.adjust("10 minutes")
      yield* broker.serverTime
      assert.strictEqual(service.timeRequests.length, 1)
      yield* TestClock.adjust("1 second")
      const times = yield* Effect.all(Array.from({ length: 20 }, () => broker.serverTime), { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(times), new Set([NOW + 601_000 + 3000]))
      assert.strictEqual(service.timeRequests.length, 2)
    }))

  it.effect.each(["503", "404", "silence"] as const)(
    "is kept, without a warning, when the service does not tell its time any more (%s), and is tried again later",
    (answer) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { layer, lines } = warnings()
        const { service, state } = telling()
        yield* Effect.gen(function*() {
          const broker = yield* Service.broker(service, { timeout: "1 second" })
          state.ahead = HOUR
          yield* broker.serverTime
          state.answer = answer
          yield* TestClock.adjust("15 minutes")
          const calls = Effect.all(Array.from({ length: 5 }, () => broker.subAccountDeposits()), { concurrency: 5 })
          const fiber = yield* Effect.forkChild(Effect.andThen(calls, calls))
          yield* TestClock.adjust("10 seconds")
          yield* Fiber.join(fiber)
          assert.strictEqual(service.timeRequests.length, 2)
          const now = yield* Clock.currentTimeMillis
          assert.closeTo(yield* broker.serverTime, now + HOUR, 1000)
          assert.isAtMost(yield* broker.serverTime, now + HOUR)
          state.answer = "time"
          yield* TestClock.adjust("15 minutes")
          yield* broker.serverTime
          assert.strictEqual(service.timeRequests.length, 3)
        }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(lines, [])
      })
  )
})
