/** The whole client under traffic of every kind: what leaves when, and for how long anybody keeps trying. */
import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { busiest } from "./support/arrivals.ts"
import { type Random, seeded } from "./support/mutations.ts"
import * as Service from "./support/service.ts"

const seeds = Array.from({ length: Number(process.env["TALLYSTICK_SEEDS"] ?? 12) }, (_, seed) => seed)

/** Time in small steps: all that is due at one of them happens before the next. */
const passing = (duration: Duration.Input) =>
  Effect.repeat(TestClock.adjust(50), { times: Duration.toMillis(duration) / 50 - 1 })

/** A service that answers late, fails, throttles and bans by a seed, and remembers when requests reached it. */
const moody = (random: Random) => {
  const arrivals: Array<number> = []
  const pauses: Array<readonly [from: number, to: number]> = []
  const refuse = (status: 418 | 429, seconds: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      pauses.push([now, now + seconds * 1000])
      return Service.refusal(status, status, { "retry-after": String(seconds) })
    })
  const service = Service.make(({ at, request }) =>
    Effect.suspend((): Service.Reply => {
      // What has left arrives, whether or not anybody still waits for the answer.
      const there = Math.floor(random() * 900)
      arrivals.push(at + there)
      const mood = random()
      const answer: Service.Reply = mood < 0.01
        ? refuse(418, 5 + Math.floor(random() * 20))
        : mood < 0.03
        ? refuse(429, 1 + Math.floor(random() * 3))
        : mood < 0.1
        ? Effect.sync(() => Service.refusal(1, 503))
        : mood < 0.13
        ? Effect.fail(Service.transportError(request, "ECONNRESET"))
        : mood < 0.14
        ? Effect.never
        : Effect.sync(() => Service.json([]))
      return Effect.andThen(Effect.sleep(there + Math.floor(random() * 900)), answer)
    })
  )
  return { arrivals, pauses, service }
}

describe("fifty fibers that ask in bursts, pause, fail and give up", () => {
  let requestsOfAll = 0

  it.effect.each(seeds)(
    "keep the rate at the service, sign each attempt when it leaves, and send nothing in a pause (seed %d)",
    (seed) =>
      Effect.gen(function*() {
        const random = seeded(seed)
        const requests = [3, 10, 20][seed % 3]!
        const { arrivals, pauses, service } = moody(random)
        let signatures = 0
        const signer = { sign: () => Effect.sync(() => `signature-${signatures++}`) }
        const broker = yield* Service.broker(service, {
          rate: { requests, window: Duration.seconds(1) },
          timeout: "5 seconds"
        }, signer)
        const one = Effect.suspend(() => {
          const call = Effect.ignore(broker.subAccountDeposits())
          return random() < 0.3 ? Effect.ignore(Effect.timeout(call, Math.floor(random() * 4000))) : call
        })
        const rest = Effect.suspend(() => Effect.sleep(random() < 0.1 ? 5000 : Math.floor(random() * 200)))
        const fibers = yield* Effect.forEach(
          Array.from({ length: 50 }),
          () => Effect.forkChild(Effect.forever(Effect.andThen(rest, one)))
        )
        yield* passing("1 minute")
        yield* Effect.forEach(fibers, Fiber.interrupt)

        requestsOfAll += service.seen.length
        const questions = service.timeRequests.map(({ at }) => at)
        assert.isAtMost(busiest([...arrivals, ...questions], 1000), requests)
        for (const { at, url } of service.seen) assert.strictEqual(Number(url.searchParams.get("timestamp")), at)
        const signed = service.seen.map(({ url }) => url.searchParams.get("signature"))
        assert.strictEqual(new Set(signed).size, signed.length)
        const sentAt = [...service.seen.map(({ at }) => at), ...questions]
        for (const [from, to] of pauses) {
          assert.deepStrictEqual(sentAt.filter((at) => at > from && at < to), [], `during the pause from ${from}`)
        }
      })
  )

  it("send a good deal: one minute may go by in bans, but not all of them", () => {
    assert.isAbove(requestsOfAll, 100 * seeds.length)
  })

  it.effect("hold back the question for the time, too, when it waits for its permit", () =>
    Effect.gen(function*() {
      const banned = Effect.as(Effect.sleep(100), Service.refusal(418, 418, { "retry-after": "60" }))
      const service = Service.make((_, n) => n === 0 ? banned : Service.json([]))
      const broker = yield* Service.broker(service, { rate: { requests: 1, window: Duration.seconds(1) } })
      yield* broker.serverTime
      yield* TestClock.adjust("10 seconds")
      const call = yield* Effect.forkChild(broker.subAccountDeposits())
      const reading = yield* Effect.forkChild(broker.clock)
      yield* passing("2 minutes")
      yield* Fiber.join(call)
      yield* Fiber.join(reading)
      const questions = service.timeRequests.map(({ at }) => at)
      assert.strictEqual(questions.length, 2)
      assert.isAtLeast(questions[1]!, 70_100)
    }))

  it.effect("are served in the order in which they came, also after a pause", () =>
    Effect.gen(function*() {
      const service = Service.make((_, n) =>
        n === 3 ? Service.refusal(429, 429, { "retry-after": "30" }) : Service.json([])
      )
      const broker = yield* Service.broker(service, { rate: { requests: 1, window: Duration.seconds(1) } })
      yield* broker.serverTime
      const fibers = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => index),
        (index) => Effect.forkChild(broker.subAccountDeposits({ page: index + 1 }))
      )
      yield* passing("1 minute")
      yield* Effect.forEach(fibers, Fiber.join)
      const pages = service.seen.map(({ url }) => Number(url.searchParams.get("page") ?? 1))
      assert.deepStrictEqual(pages.slice(0, 4), [1, 2, 3, 4])
      assert.deepStrictEqual(pages.slice(4).filter((page) => page !== 4), [5, 6, 7, 8, 9, 10])
    }))
})

describe("a service that fails by any schedule", () => {
  type Failure = "503" | "reset" | "refused" | "silence" | "429" | "418" | "skew" | "garbled"
  const failures: ReadonlyArray<Failure> = ["503", "reset", "refused", "silence", "429", "418", "skew", "garbled"]
  const TIMEOUT = 7000
  const WAIT = 20_000

  const failing = (failure: Failure, request: Service.Seen["request"]): Service.Reply => {
    switch (failure) {
      case "503":
        return Effect.sync(() => Service.refusal(1, 503))
      case "reset":
        return Effect.fail(Service.transportError(request, "ECONNRESET"))
      case "refused":
        return Effect.fail(Service.transportError(request, "ECONNREFUSED"))
      case "silence":
        return Effect.never
      case "429":
      case "418":
        return Effect.sync(() =>
          Service.refusal(Number(failure), Number(failure), { "retry-after": String(WAIT / 1000) })
        )
      case "skew":
        return Effect.sync(() => Service.refusal(700003))
      default:
        return Effect.sync(() => new Response("[{"))
    }
  }

  const calls: Readonly<
    Record<string, (broker: Broker.Service) => Effect.Effect<unknown, BrokerError.BrokerError>>
  > = {
    GET: (broker) => broker.subAccountDeposits(),
    POST: (broker) =>
      broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" })
  }

  it.effect.each(Object.keys(calls))(
    "is given up within the allowed attempts and time: %s",
    (method) =>
      Effect.gen(function*() {
        for (const seed of seeds.flatMap((seed) => [seed, seed + 10_000])) {
          const random = seeded(seed)
          const retries = Math.floor(random() * 8)
          const retryBudget = Math.floor(random() * 60_000)
          const kinds = failures.filter(() => random() < 0.6)
          const service = Service.make(({ request }) => {
            const failure = kinds[Math.floor(random() * kinds.length)] ?? "503"
            return Effect.andThen(Effect.sleep(Math.floor(random() * 3000)), failing(failure, request))
          })
          const broker = yield* Service.broker(service, { retries, retryBudget, timeout: TIMEOUT })
          yield* broker.serverTime
          const start = yield* Clock.currentTimeMillis
          const call = Effect.andThen(
            Effect.result(calls[method]!(broker)),
            (result) => Effect.map(Clock.currentTimeMillis, (endedAt) => ({ result, took: endedAt - start }))
          )
          const fiber = yield* Effect.forkChild(call)
          yield* TestClock.adjust("1 day")
          const { result, took } = yield* Fiber.join(fiber)
          assert.isTrue(Result.isFailure(result))
          // One more attempt follows a re-sync; waits that the service asked for come on top.
          assert.isAtMost(service.seen.length, retries + 2, `seed ${seed}`)
          assert.isAtMost(took, retryBudget + 2 * TIMEOUT + (retries + 2) * WAIT, `seed ${seed}`)
        }
      })
  )
})
