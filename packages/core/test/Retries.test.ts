import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { TestClock } from "effect/testing"
import * as Service from "./support/service.ts"

const key: Broker.CreateApiKey = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" }
const made = { apiKey: "a", secretKey: "b", createTime: 1 }

type Call = (broker: Broker.Service) => Effect.Effect<unknown, BrokerError.BrokerError>
const get: Call = (broker) => broker.subAccountDeposits()
const post: Call = (broker) => broker.createApiKey(key)

/** Runs a call to its end under virtual time and tells when it was sent, and what came of it. */
const run = (
  handler: Service.Handler,
  call: Call,
  changes: Partial<BrokerConfig.Options> = {},
  time?: Service.Reply
) =>
  Effect.gen(function*() {
    const service = Service.make(handler, time)
    const broker = yield* Service.broker(service, changes)
    const fiber = yield* Effect.forkChild(Effect.result(call(broker)))
    yield* TestClock.adjust("1 day")
    const result = yield* Fiber.join(fiber)
    return {
      service,
      sentAt: service.seen.map(({ at }) => at),
      value: Result.isSuccess(result) ? result.success : undefined,
      reason: Result.isFailure(result) ? result.failure.reason : undefined
    }
  })

const after = (ms: number, response: () => Response) =>
  Effect.as(Effect.sleep(ms), undefined).pipe(Effect.map(response))
const list = () => Service.json([])

describe("a GET", () => {
  it.effect.each([500, 502, 503, 504, 599])(
    "is repeated after HTTP %d until it answers",
    (status) =>
      Effect.gen(function*() {
        const { reason, sentAt } = yield* run((_, n) => n < 3 ? Service.refusal(1, status) : list(), get)
        assert.isUndefined(reason)
        assert.strictEqual(sentAt.length, 4)
        const pauses = sentAt.slice(1).map((at, index) => at - sentAt[index]!)
        for (const [index, pause] of pauses.entries()) {
          assert.isAtLeast(pause, 125 * 2 ** index)
          assert.isAtMost(pause, 250 * 2 ** index + 1)
        }
      })
  )

  it.effect("is repeated after a lost connection, a refused one and a timeout", () =>
    Effect.gen(function*() {
      const { reason, service } = yield* run(({ request }, n) => {
        if (n === 0) return Effect.fail(Service.transportError(request, "ECONNRESET"))
        if (n === 1) return Effect.fail(Service.transportError(request, "ECONNREFUSED"))
        return n === 2 ? Effect.never : list()
      }, get)
      assert.isUndefined(reason)
      assert.strictEqual(service.seen.length, 4)
    }))

  it.effect("is bounded in attempts, and the error says how many", () =>
    Effect.gen(function*() {
      for (const retries of [0, 2, 5]) {
        const { reason, sentAt } = yield* run(() => Service.refusal(1, 503), get, { retries })
        assert.strictEqual(sentAt.length, retries + 1)
        assert.deepInclude(reason, { _tag: "Unavailable", attempts: retries + 1, status: 503, sent: true })
      }
    }))

  it.effect("is bounded in the time that attempts take", () =>
    Effect.gen(function*() {
      const { reason, sentAt } = yield* run(() => Effect.never, get, {
        retries: 100,
        timeout: "10 seconds",
        retryBudget: "1 minute"
      })
      assert.deepInclude(reason, { _tag: "Unavailable" })
      assert.isAtMost(sentAt.at(-1)! - sentAt[0]!, 60_000)
      assert.isAtLeast(sentAt.length, 4)
    }))

  it.effect("takes a new timestamp on every attempt", () =>
    Effect.gen(function*() {
      const { sentAt, service } = yield* run((_, n) => n < 2 ? Service.refusal(1, 503) : list(), get)
      const timestamps = service.seen.map(({ url }) => Number(url.searchParams.get("timestamp")))
      assert.deepStrictEqual(timestamps, sentAt)
      assert.strictEqual(new Set(timestamps).size, 3)
    }))

  it.effect.each([400, 700001, 700002, 700006, 700013, 730705, 730001, 999_999])(
    "is never repeated after %d",
    (code) =>
      Effect.gen(function*() {
        for (const status of [200, 400]) {
          const { sentAt } = yield* run(() => Service.refusal(code, status), get)
          assert.strictEqual(sentAt.length, 1)
        }
      })
  )

  const garbled: Readonly<Record<string, () => Response>> = {
    "HTML with 200": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    "JSON cut short": () => new Response("[{", { headers: { "content-type": "application/json" } }),
    "an empty body": () => new Response("", { headers: { "content-type": "application/json" } }),
    "bytes that are no text": () =>
      new Response(new Uint8Array([255]), { headers: { "content-type": "application/json" } }),
    "a body that is too long": () => Service.json("x".repeat(2000))
  }
  it.effect.each(Object.keys(garbled))(
    "is repeated after an answer that nobody can read: %s",
    (name) =>
      Effect.gen(function*() {
        const answer = (n: number) => n < 2 ? garbled[name]!() : list()
        const { reason, sentAt } = yield* run((_, n) => answer(n), get, { maxBody: 1024 })
        assert.isUndefined(reason)
        assert.strictEqual(sentAt.length, 3)
        const bounded = yield* run(() => garbled[name]!(), get, { maxBody: 1024, retries: 2 })
        assert.strictEqual(bounded.sentAt.length, 3)
        assert.deepInclude(bounded.reason, { _tag: "ProtocolError", status: 200 })
      })
  )

  it.effect.each(
    [
      ["a redirect", () => new Response(null, { status: 302 })],
      ["a firewall's page", () => new Response("<html>", { status: 403, headers: { "content-type": "text/html" } })],
      ["a list of the wrong shape", () => Service.json({ data: [] })]
    ] as const
  )("is not repeated after %s", ([, answer]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* run(answer, get)).sentAt.length, 1)
    }))
})

describe("createApiKey", () => {
  const unknown: ReadonlyArray<readonly [string, Service.Handler]> = [
    ...[500, 502, 503, 504, 599].map((status) => [`HTTP ${status}`, () => Service.refusal(1, status)] as const),
    ["HTTP 502 in HTML", () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } })],
    ["a code of 500 inside HTTP 200", () => Service.refusal(500, 200)],
    ["a timeout", () => Effect.never],
    ["a reset", ({ request }) => Effect.fail(Service.transportError(request, "ECONNRESET"))],
    ["a failure without a code", ({ request }) => Effect.fail(Service.transportError(request))],
    ["an empty body", () => new Response("", { headers: { "content-type": "application/json" } })],
    ["no body", () => new Response(null, { status: 204 })],
    [
      "JSON cut short",
      () => new Response("{\"apiKey\":\"a\",\"sec", { headers: { "content-type": "application/json" } })
    ],
    ["HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["an answer without a secret", () => Service.json({ apiKey: "a" })],
    ["an answer without a key", () => Service.json({ secretKey: "a" })],
    ["an empty secret", () => Service.json({ ...made, secretKey: "" })],
    ["a list", () => Service.json([made])],
    ["a see-other", () => new Response(null, { status: 303 })]
  ]

  it.effect.each(unknown)("is sent once and ends in OutcomeUnknown after %s", ([, handler]) =>
    Effect.gen(function*() {
      const { reason, sentAt } = yield* run(handler, post)
      assert.strictEqual(sentAt.length, 1)
      assert.deepInclude(reason, { _tag: "OutcomeUnknown", subAccount: "sub00001", note: "note-7" })
      assert.include(reason?.message, "\"note-7\"")
      assert.strictEqual(reason?.category, "unknown-outcome")
    }))

  it.effect("is plainly Unavailable, and sent once, when no connection came about", () =>
    Effect.gen(function*() {
      for (const code of ["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"]) {
        const { reason, sentAt } = yield* run(({ request }) => Effect.fail(Service.transportError(request, code)), post)
        assert.strictEqual(sentAt.length, 1)
        assert.deepInclude(reason, { _tag: "Unavailable", sent: false, attempts: 1 })
      }
    }))

  it.effect.each([429, 418, 700003])(
    "is sent again after %d, because the service proved that it did not run",
    (code) =>
      Effect.gen(function*() {
        const { sentAt, value } = yield* run(
          (_, n) =>
            n === 0 ? Service.refusal(code, code === 418 ? 418 : 400, { "retry-after": "5" }) : Service.json(made),
          post
        )
        assert.deepInclude(value, { apiKey: "a", subAccount: "sub00001" })
        assert.strictEqual(sentAt.length, 2)
      })
  )

  it.effect("ends in OutcomeUnknown when the attempt after a 429 is lost", () =>
    Effect.gen(function*() {
      const { reason, sentAt } = yield* run(
        (_, n) => n === 0 ? Service.refusal(429, 429) : Service.refusal(1, 502),
        post
      )
      assert.deepInclude(reason, { _tag: "OutcomeUnknown" })
      assert.strictEqual(sentAt.length, 2)
    }))
})

describe("Retry-After", () => {
  it.effect("is obeyed in full by every fiber, also on a POST", () =>
    Effect.gen(function*() {
      const service = Service.make((_, n) =>
        n === 0 ? Service.refusal(429, 429, { "retry-after": "30" }) : Service.json(made)
      )
      const broker = yield* Service.broker(service)
      const fibers = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => index),
        (index) => Effect.forkChild(Effect.andThen(Effect.sleep(index * 10), post(broker)))
      )
      yield* TestClock.adjust(29_999)
      assert.strictEqual(service.seen.length, 1)
      yield* TestClock.adjust(1000)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(service.seen.length, 11)
    }))

  it.effect("is not spent from the budget of attempts' time", () =>
    Effect.gen(function*() {
      const { reason } = yield* run(
        (_, n) => n < 4 ? Service.refusal(429, 429, { "retry-after": "60" }) : list(),
        get,
        { retryBudget: "10 seconds" }
      )
      assert.isUndefined(reason)
    }))

  it.effect("beyond the cap fails at once, with the time left, and later calls send nothing", () =>
    Effect.gen(function*() {
      for (const status of [429, 418]) {
        const service = Service.make(() => Service.refusal(status, status, { "retry-after": "600" }))
        const broker = yield* Service.broker(service, { maxWait: "5 minutes" })
        const start = yield* Clock.currentTimeMillis
        const first = yield* Effect.flip(get(broker))
        assert.strictEqual(yield* Clock.currentTimeMillis, start)
        yield* TestClock.adjust("1 minute")
        const second = yield* Effect.flip(post(broker))
        const left = [first, second].map(({ reason }) =>
          reason._tag === "RateLimited" ? reason.retryAfter : reason._tag === "Banned" ? reason.remaining : undefined
        )
        assert.deepStrictEqual(left, [600_000, 540_000])
        if (second.reason._tag === "Banned") assert.strictEqual(second.reason.until, start + 600_000)
        assert.strictEqual(service.seen.length, 1)
        yield* TestClock.adjust("1 hour")
      }
    }))

  it.effect("gives up after the allowed attempts", () =>
    Effect.gen(function*() {
      const { reason, sentAt } = yield* run(() => Service.refusal(429, 429), get, { retries: 3 })
      assert.strictEqual(sentAt.length, 4)
      assert.deepInclude(reason, { _tag: "RateLimited", retryAfter: 1000 })
    }))

  it.effect("of a shorter refusal never shortens a longer one", () =>
    Effect.gen(function*() {
      const service = Service.make((_, n) => {
        if (n === 0) return after(100, () => Service.refusal(418, 418, { "retry-after": "120" }))
        return n === 1 ? after(200, () => Service.refusal(429, 429, { "retry-after": "1" })) : list()
      })
      const broker = yield* Service.broker(service)
      yield* broker.serverTime
      const fibers = yield* Effect.forEach([0, 1], () => Effect.forkChild(get(broker)))
      yield* TestClock.adjust(120_099)
      assert.strictEqual(service.seen.length, 2)
      yield* TestClock.adjust(1)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(service.seen.length, 4)
    }))
})

describe("a ban", () => {
  it.effect("stops 50 concurrent fibers until its end", () =>
    Effect.gen(function*() {
      let bannedUntil = 0
      const service = Service.make((_, n) =>
        Effect.gen(function*() {
          yield* Effect.sleep(50)
          const now = yield* Clock.currentTimeMillis
          if (n === 5) {
            bannedUntil = now + 120_000
            return Service.refusal(418, 418, { "retry-after": "120" })
          }
          return list()
        })
      )
      const broker = yield* Service.broker(service, { rate: { requests: 20, window: Duration.seconds(1) } })
      const fibers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => index),
        (index) => Effect.forkChild(Effect.forever(Effect.andThen(Effect.sleep(index * 7), get(broker))))
      )
      yield* TestClock.adjust("130 seconds")
      yield* Effect.forEach(fibers, Fiber.interrupt)
      assert.isAbove(bannedUntil, 0)
      const during = service.seen.filter(({ at }) => at > bannedUntil - 120_000 && at < bannedUntil)
      assert.deepStrictEqual(during, [])
      assert.isAbove(service.seen.filter(({ at }) => at >= bannedUntil).length, 50)
    }))

  it.effect("is obeyed although its body breaks off or never ends", () =>
    Effect.gen(function*() {
      const headers = { "retry-after": "120" }
      const bodies = [
        () => new ReadableStream({}),
        () => new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) })
      ]
      for (const body of bodies) {
        const { sentAt, value } = yield* run(
          (_, n) => n === 0 ? new Response(body(), { status: 418, headers }) : Service.json(made),
          post,
          { timeout: "30 seconds" }
        )
        assert.isDefined(value)
        assert.isAtLeast(sentAt[1]! - sentAt[0]!, 120_000)
      }
    }))

  it.effect("is not prolonged when somebody sets the wall clock back, and its end is told in that clock", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(7_200_000)
      const service = Service.make((_, n) => n === 0 ? Service.refusal(418, 418, { "retry-after": "60" }) : list())
      const broker = yield* Service.broker(service, { retries: 0, maxWait: 0 })
      yield* Effect.flip(get(broker))
      yield* TestClock.setTime(3_600_000)
      assert.deepInclude((yield* Effect.flip(get(broker))).reason, { remaining: 60_000, until: 3_660_000 })
      yield* TestClock.adjust("1 minute")
      yield* get(broker)
      assert.strictEqual(service.seen.length, 2)
    }))

  it.effect("that comes while a request is being signed is waited out, and the request is signed anew", () =>
    Effect.gen(function*() {
      const service = Service.make((_, n) =>
        n === 0
          ? after(100, () => Service.refusal(418, 418, { "retry-after": "60" }))
          : list()
      )
      let signing = 0
      const slow = Effect.suspend(() => Effect.as(Effect.sleep(signing++ === 1 ? 500 : 0), `signature-${signing}`))
      const broker = yield* Service.broker(service, {}, { sign: () => slow })
      yield* broker.serverTime
      const fibers = yield* Effect.forEach([0, 1], () => Effect.forkChild(get(broker)))
      yield* TestClock.adjust("2 minutes")
      yield* Effect.forEach(fibers, Fiber.join)
      const late = service.seen.slice(1)
      assert.strictEqual(late.length, 2)
      for (const { at, url } of late) {
        assert.isAtLeast(at, 60_100)
        assert.strictEqual(Number(url.searchParams.get("timestamp")), at)
      }
    }))

  it.effect("told by the time endpoint counts as well", () =>
    Effect.gen(function*() {
      const time = Effect.sync(() => Service.refusal(418, 418, { "retry-after": "60" }))
      const { sentAt } = yield* run(list, get, {}, time)
      assert.deepStrictEqual(sentAt, [60_000])
    }))
})

describe("a schedule of one's own", () => {
  const refused = () => Service.refusal(1, 503)

  it.effect("says when the next attempt follows, and how many there are", () =>
    Effect.gen(function*() {
      const retrySchedule = Schedule.spaced("3 seconds").pipe(Schedule.upTo({ times: 7 }))
      const { reason, sentAt } = yield* run(refused, get, { retrySchedule })
      assert.strictEqual(reason?._tag, "Unavailable")
      assert.deepStrictEqual(
        sentAt.map((at) => at - sentAt[0]!),
        [0, 3, 6, 9, 12, 15, 18, 21].map((second) => second * 1000)
      )
    }))

  it.effect("is given the reason of each attempt", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const retrySchedule = Schedule.spaced("1 second").pipe(
        Schedule.upTo({ times: 2 }),
        Schedule.setInputType<BrokerError.RequestReason>(),
        Schedule.tap(({ input }) => Effect.sync(() => seen.push(input._tag)))
      )
      yield* run((_, n) => n === 0 ? refused() : new Response("<html>", { status: 200 }), get, { retrySchedule })
      assert.deepStrictEqual(seen, ["Unavailable", "ProtocolError"])
    }))

  it.effect("begins anew with each call", () =>
    Effect.gen(function*() {
      const retrySchedule = Schedule.spaced("1 second").pipe(Schedule.upTo({ times: 2 }))
      const { sentAt } = yield* run(refused, (broker) => Effect.ignore(get(broker)).pipe(Effect.andThen(get(broker))), {
        retrySchedule
      })
      assert.strictEqual(sentAt.length, 6)
    }))

  it.effect("is bounded by the budget of a call", () =>
    Effect.gen(function*() {
      const { sentAt } = yield* run(refused, get, {
        retrySchedule: Schedule.spaced("3 seconds"),
        retryBudget: "10 seconds"
      })
      assert.strictEqual(sentAt.length, 4)
    }))

  it.effect("is not asked for a request that must not be sent twice", () =>
    Effect.gen(function*() {
      const { reason, sentAt } = yield* run(refused, post, { retrySchedule: Schedule.forever })
      assert.strictEqual(reason?._tag, "OutcomeUnknown")
      assert.strictEqual(sentAt.length, 1)
    }))
})
