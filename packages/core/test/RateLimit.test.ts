import { assert, describe, it } from "@effect/vitest"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { TestClock } from "effect/testing"
import { busiest } from "./support/arrivals.ts"
import * as Service from "./support/service.ts"

const SECOND = Duration.seconds(1)

/** A seeded generator of numbers in [0, 1). */
const seeded = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

interface Traffic {
  readonly fibers: number
  readonly requests: number
  /** ms between a fiber's requests. */
  readonly pause: (random: () => number) => number
  readonly latency: (random: () => number) => number
  /** Share of the requests that are interrupted at some time. */
  readonly interrupted: number
}

/** Runs traffic through the limit; returns when requests reached the server and how long all of it took. */
const drive = (limit: RateLimit.RateLimit["Service"], traffic: Traffic, seed: number) =>
  Effect.gen(function*() {
    const random = seeded(seed)
    const arrivals: Array<number> = []
    let finished = 0
    const request = Effect.gen(function*() {
      const [there, back] = [Math.floor(traffic.latency(random)), Math.floor(traffic.latency(random))]
      // What has left arrives, whether or not anybody still waits for the answer.
      arrivals.push((yield* Clock.currentTimeMillis) + there)
      yield* Effect.sleep(there + back)
      finished++
    })
    const one = Effect.suspend(() =>
      random() < traffic.interrupted
        ? Effect.timeoutOption(limit.permit(request), Math.floor(random() * 3000))
        : limit.permit(request)
    )
    const fiber = yield* Effect.forkChild(
      Effect.forEach(
        Array.from({ length: traffic.fibers }),
        () =>
          Effect.forEach(
            Array.from({ length: traffic.requests }),
            () => Effect.andThen(Effect.suspend(() => Effect.sleep(Math.floor(traffic.pause(random)))), one),
            { discard: true }
          ),
        { concurrency: "unbounded", discard: true }
      )
    )
    const start = yield* Clock.currentTimeMillis
    while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
    return { arrivals, finished, seconds: ((yield* Clock.currentTimeMillis) - start) / 1000 }
  })

const always = (ms: number) => () => ms
const upTo = (ms: number) => (random: () => number) => random() * ms
/** Long silences, then everything at once. */
const bursts = (random: () => number) => random() < 0.1 ? 5000 : 0

const traffics: Readonly<Record<string, Traffic>> = {
  "in a steady stream": { fibers: 50, requests: 8, pause: always(0), latency: upTo(50), interrupted: 0 },
  "with much jitter": { fibers: 50, requests: 6, pause: upTo(500), latency: upTo(1500), interrupted: 0 },
  "in bursts after pauses": { fibers: 50, requests: 8, pause: bursts, latency: upTo(100), interrupted: 0 },
  "without latency": { fibers: 50, requests: 8, pause: always(0), latency: always(0), interrupted: 0 },
  "with interruptions waiting and in flight": {
    fibers: 50,
    requests: 8,
    pause: upTo(300),
    latency: upTo(800),
    interrupted: 0.5
  }
}

describe("the rate of a layer", () => {
  it.effect("is refused by name where it is none, instead of holding every request back", () =>
    Effect.gen(function*() {
      for (const requests of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const limited = Effect.andThen(RateLimit.RateLimit, () => Effect.void)
        const error = yield* Effect.flip(
          Effect.provide(limited, RateLimit.RateLimit.layer({ rate: { requests, window: SECOND } }))
        )
        assert.strictEqual(error.variable, "rate")
      }
    }))
})

describe("the rate of one process", () => {
  it.effect.each(Object.keys(traffics))(
    "holds in every sliding window at the server %s",
    (name) =>
      Effect.gen(function*() {
        for (const requests of [1, 3, 20]) {
          const limit = yield* RateLimit.RateLimit.make({ requests, window: SECOND })
          const { arrivals } = yield* drive(limit, traffics[name]!, requests * 17)
          assert.isAbove(arrivals.length, 100)
          assert.isAtMost(busiest(arrivals, 1000), requests)
        }
      })
  )

  it.effect("holds for requests that arrive after they were given up", () =>
    Effect.gen(function*() {
      const random = seeded(3)
      const limit = yield* RateLimit.RateLimit.make({ requests: 20, window: SECOND })
      const arrivals: Array<number> = []
      const send = Effect.gen(function*() {
        arrivals.push((yield* Clock.currentTimeMillis) + Math.floor(random() * 900))
        return yield* Effect.never
      })
      const fibers = yield* Effect.forEach(
        Array.from({ length: 200 }),
        (_, index) =>
          Effect.forkChild(
            limit.permit(
              index % 2 === 0
                ? Effect.raceFirst(send, Effect.interrupt)
                : Effect.timeout(send, Math.floor(random() * 50))
            )
          )
      )
      yield* TestClock.adjust("1 minute")
      yield* Effect.forEach(fibers, Fiber.await)
      assert.strictEqual(arrivals.length, 200)
      assert.isAtMost(busiest(arrivals, 1000), 20)
    }))

  it.effect("is nearly reached", () =>
    Effect.gen(function*() {
      const limit = yield* RateLimit.RateLimit.make({ requests: 20, window: SECOND })
      const traffic = { fibers: 50, requests: 40, pause: always(0), latency: upTo(10), interrupted: 0 }
      const { finished, seconds } = yield* drive(limit, traffic, 5)
      assert.strictEqual(finished, 2000)
      assert.isAtLeast(finished / seconds, 19)
    }))

  it.effect("loses no permit to interruptions, failures and defects", () =>
    Effect.gen(function*() {
      const limit = yield* RateLimit.RateLimit.make({ requests: 5, window: SECOND })
      const ends = [Effect.never, Effect.fail("no"), Effect.die("defect"), Effect.interrupt, Effect.void]
      for (let round = 0; round < 40; round++) {
        const fibers = yield* Effect.forEach(ends, (end) => Effect.forkChild(Effect.exit(limit.permit(end))))
        yield* TestClock.adjust((round * 137) % 1100)
        yield* Effect.forEach(fibers, Fiber.interrupt)
      }
      yield* TestClock.adjust("2 seconds")
      let running = 0
      const fibers = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => Effect.forkChild(limit.permit(Effect.andThen(Effect.sync(() => running++), Effect.sleep("10 seconds"))))
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(running, 5)
      yield* TestClock.adjust("30 seconds")
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(running, 10)
    }))

  it.effect("remembers when permits were used although those who waited for them gave up", () =>
    Effect.gen(function*() {
      const limit = yield* RateLimit.RateLimit.make({ requests: 5, window: SECOND })
      const arrivals: Array<number> = []
      const mark = Effect.map(Clock.currentTimeMillis, (now) => void arrivals.push(now))
      for (let round = 0; round < 6; round++) {
        const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.forkChild(limit.permit(mark)))
        yield* TestClock.adjust(150)
        yield* Effect.forEach(fibers, Fiber.interrupt)
      }
      assert.deepStrictEqual(arrivals, [0, 0, 0, 0, 0])
    }))

  it.effect("serves in order of arrival", () =>
    Effect.gen(function*() {
      const limit = yield* RateLimit.RateLimit.make({ requests: 1, window: SECOND })
      const order: Array<number> = []
      const fibers = yield* Effect.forEach(
        [0, 1, 2, 3, 4],
        (index) => Effect.forkChild(limit.permit(Effect.sync(() => void order.push(index))))
      )
      yield* TestClock.adjust("10 seconds")
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(order, [0, 1, 2, 3, 4])
    }))

  it.effect("does not stall when somebody sets the wall clock back", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(3_600_000)
      const limit = yield* RateLimit.RateLimit.make({ requests: 1, window: SECOND })
      yield* limit.permit(Effect.void)
      yield* TestClock.setTime(0)
      const fiber = yield* Effect.forkChild(limit.permit(Effect.void))
      yield* TestClock.adjust("2 seconds")
      assert.isDefined(fiber.pollUnsafe())
      yield* Fiber.interrupt(fiber)
    }))
})

describe("the rate of several processes", () => {
  const store = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))

  it.effect("is spaced over all of them through one store", () =>
    Effect.gen(function*() {
      const limiter = yield* RateLimiter.RateLimiter
      const options = { ...Service.options, rate: { requests: 20, window: SECOND } }
      const make = Effect.suspend(() =>
        RateLimit.RateLimit.useSync((limit) => limit).pipe(
          Effect.provide(RateLimit.RateLimit.layerShared(options)),
          Effect.provideService(RateLimiter.RateLimiter, limiter)
        )
      )
      const limits = yield* Effect.all([make, make, make])
      const arrivals: Array<number> = []
      const mark = Effect.map(Clock.currentTimeMillis, (now) => void arrivals.push(now))
      const burst = Effect.forEach(
        Array.from({ length: 50 }, (_, index) => limits[index % 3]!),
        (limit) => limit.permit(mark),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(Effect.andThen(burst, Effect.andThen(Effect.sleep("7 seconds"), burst)))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.strictEqual(arrivals.length, 100)
      assert.isAtMost(busiest(arrivals, 1000), 20)
      assert.isAtLeast(busiest(arrivals, 1000), 18)
    }).pipe(Effect.provide(store)))

  it.effect("sends nothing, and says so in time, where the store never answers", () =>
    Effect.gen(function*() {
      const silent = Layer.succeed(RateLimiter.RateLimiterStore, {
        fixedWindow: () => Effect.never,
        tokenBucket: () => Effect.never,
        adaptiveConsume: () => Effect.never,
        adaptiveFeedback: () => Effect.never
      })
      const limit = yield* RateLimit.RateLimit.useSync((limit) => limit).pipe(
        Effect.provide(
          RateLimit.RateLimit.layerShared({ ...Service.options, timeout: "10 seconds" }).pipe(
            Layer.provide(RateLimiter.layer.pipe(Layer.provide(silent)))
          )
        )
      )
      const fiber = yield* Effect.forkChild(Effect.flip(limit.permit(Effect.die("nobody gave leave"))))
      yield* TestClock.adjust("10 seconds")
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "Unavailable", sent: false })
    }))
})
