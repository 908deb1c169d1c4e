import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Metrics from "@tallystick/core/Metrics"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Records from "./support/records.ts"
import * as Service from "./support/service.ts"

const key: Broker.CreateApiKey = {
  subAccount: "recognisable.account@example.test",
  permissions: ["SPOT_ACCOUNT_READ"],
  note: "recognisable note"
}
const server = { "server.address": "api.example.test", "server.port": "443" }

/** Every test has a registry of its own. */
const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

/** Runs a call to its end under virtual time. */
const run = <A, E>(
  service: Service.Service,
  call: (broker: Broker.Service) => Effect.Effect<A, E>,
  changes: Partial<BrokerConfig.Options> = {}
) =>
  Effect.gen(function*() {
    const broker = yield* Service.broker(service, changes)
    const fiber = yield* Effect.forkChild(Effect.exit(call(broker)))
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })

const count = <State extends { readonly count: number }>(
  metric: Metric.Metric<number, State>,
  attributes: Record<string, string>
) => Effect.map(Metric.value(Metric.withAttributes(metric, attributes)), ({ count }) => count)

const deposits = { operation: "subAccountDeposits" }

describe("the client counts", () => {
  it.effect("every request by how it ended, every call by how all of its attempts ended", () =>
    alone(Effect.gen(function*() {
      const service = Service.make((_, n) => n < 3 ? Service.refusal(1, 503) : Service.json([]))
      yield* run(service, (broker) => broker.subAccountDeposits())
      assert.strictEqual(yield* count(Metrics.requests, { ...deposits, outcome: "Unavailable" }), 3)
      assert.strictEqual(yield* count(Metrics.requests, { ...deposits, outcome: "ok" }), 1)
      assert.strictEqual(yield* count(Metrics.requests, { operation: "serverTime", outcome: "ok" }), 1)
      assert.strictEqual(yield* count(Metrics.retries, { ...deposits, reason: "Unavailable" }), 3)
      assert.strictEqual(yield* count(Metrics.calls, { ...deposits, outcome: "ok" }), 1)
      assert.strictEqual(yield* count(Metrics.calls, { ...deposits, outcome: "Unavailable" }), 0)
    })))

  it.effect("a key that may have been made as OutcomeUnknown, whether no answer came or one without a key", () =>
    alone(Effect.gen(function*() {
      yield* run(Service.make(() => Service.refusal(1, 504)), (broker) => broker.createApiKey(key))
      yield* run(Service.make(() => Service.json({})), (broker) => broker.createApiKey(key))
      const create = { operation: "createApiKey" }
      assert.strictEqual(yield* count(Metrics.calls, { ...create, outcome: "OutcomeUnknown" }), 2)
      assert.strictEqual(yield* count(Metrics.requests, { ...create, outcome: "OutcomeUnknown" }), 1)
      assert.strictEqual(yield* count(Metrics.requests, { ...create, outcome: "ok" }), 1)
    })))

  it.effect("pages, and the records on them that can be read and that cannot", () =>
    alone(Effect.gen(function*() {
      const service = Service.make(({ url }) =>
        Service.json(
          (url.searchParams.get("page") ?? "1") === "1" ? [Records.deposit(), Records.deposit(), { amount: "" }] : []
        )
      )
      yield* TestClock.setTime(Records.NOW + 600_000)
      yield* run(service, (broker) =>
        Stream.runCollect(broker.scanSubAccountDeposits({ from: Records.NOW, to: Records.NOW + 1 })))
      assert.strictEqual(yield* count(Metrics.pages, deposits), service.seen.length)
      const first = service.seen.filter(({ url }) =>
        (url.searchParams.get("page") ?? "1") === "1"
      ).length
      assert.strictEqual(yield* count(Metrics.records, deposits), 2 * first)
      assert.strictEqual(yield* count(Metrics.badRecords, deposits), first)
    })))

  it.effect("a request that was given up as interrupted", () =>
    alone(Effect.gen(function*() {
      const broker = yield* Service.broker(Service.make(() => Effect.never))
      const fiber = yield* Effect.forkChild(broker.subAccountDeposits())
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* count(Metrics.requests, { ...deposits, outcome: "interrupted" }), 1)
    })))
})

describe("the client measures", () => {
  it.effect("how long a request took, its permit not counted, and how long it waited for that", () =>
    alone(Effect.gen(function*() {
      const service = Service.make(() =>
        Effect.as(Effect.sleep("400 millis"), undefined).pipe(
          Effect.map(() => Service.json([]))
        )
      )
      const rate = { requests: 1, window: Duration.seconds(10) }
      yield* run(service, (broker) => Effect.andThen(broker.subAccountDeposits(), broker.subAccountDeposits()), {
        rate
      })
      const took = yield* Metric.value(Metric.withAttributes(Metrics.requestDuration, {
        ...server,
        "http.request.method": "GET",
        "url.template": "/api/v3/broker/capital/deposit/subHisrec/getall",
        "url.scheme": "https",
        "http.response.status_code": "200"
      }))
      assert.strictEqual(took.count, 2)
      assert.strictEqual(took.sum, 0.8)
      const waited = yield* Metric.value(Metrics.permitWait)
      assert.strictEqual(waited.count, 3)
      assert.strictEqual(waited.min, 0)
      assert.isAtLeast(waited.max, 10)
      assert.isBelow(waited.max, 11)
    })))

  it.effect("which kind of failure took how long", () =>
    alone(Effect.gen(function*() {
      yield* run(Service.make(() => Effect.never), (broker) => broker.subAccountDeposits(), {
        timeout: "7 seconds",
        retries: 0
      })
      const took = yield* Metric.value(Metric.withAttributes(Metrics.requestDuration, {
        ...server,
        "http.request.method": "GET",
        "url.template": "/api/v3/broker/capital/deposit/subHisrec/getall",
        "url.scheme": "https",
        "error.type": "Unavailable"
      }))
      assert.deepStrictEqual([took.count, took.sum], [1, 7])
    })))

  it.effect("how far the service's clock is ahead or behind", () =>
    alone(Effect.gen(function*() {
      for (const ahead of [3_600_000, -42]) {
        yield* run(Service.make(() => Service.json([]), Service.timeAhead(ahead)), (broker) => broker.serverTime)
        const { value } = yield* Metric.value(Metric.withAttributes(Metrics.clockOffset, server))
        assert.strictEqual(value, ahead)
      }
    })))

  it.effect("what is left of a ban, second by second, until nothing is left", () =>
    alone(Effect.gen(function*() {
      const remaining = Effect.map(Metric.value(Metric.withAttributes(Metrics.banRemaining, server)), ({ value }) =>
        value)
      const service = Service.make(() =>
        Service.refusal(1, 418, { "retry-after": "900" })
      )
      const broker = yield* Service.broker(service, { maxWait: "1 minute" })
      const fiber = yield* Effect.forkChild(Effect.exit(broker.subAccountDeposits()))
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(fiber)
      const first = yield* remaining
      assert.isAtMost(first, 900)
      assert.isAbove(first, 899)
      yield* TestClock.adjust("10 minutes")
      assert.closeTo(yield* remaining, first - 600, 0.01)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* remaining, 0)
    })))

  it.effect("the longest of several bans, whichever was told last, and no other pause", () =>
    alone(Effect.gen(function*() {
      const remaining = Effect.map(
        Metric.value(Metric.withAttributes(Metrics.banRemaining, server)),
        ({ value }) => value
      )
      const answers = [[418, 300], [418, 10], [429, 900]] as const
      const service = Service.make((_, n) => {
        const [status, seconds] = answers[n]!
        return Effect.as(Effect.sleep(n + 1), Service.refusal(1, status, { "retry-after": String(seconds) }))
      })
      const broker = yield* Service.broker(service, { maxWait: "1 second", conventions: { serverTimePath: null } })
      const fibers = yield* Effect.forEach(answers, () => Effect.forkChild(Effect.exit(broker.subAccountDeposits())))
      yield* TestClock.adjust("1 second")
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(service.seen.length, 3)
      assert.closeTo(yield* remaining, 299, 0.01)
      yield* TestClock.adjust("2 minutes")
      assert.closeTo(yield* remaining, 179, 0.01)
    })))
})

describe("every metric", () => {
  it.effect("has a unit and a description, is named once, and has no attribute that tells of an account", () =>
    alone(Effect.gen(function*() {
      const handler: Service.Handler = ({ url }, n) =>
        n === 0 ? Service.refusal(1, 418, { "retry-after": "1" }) : Service.json(
          url.pathname.endsWith("apiKey") ? { apiKey: "recognisable", secretKey: "recognisable" } : []
        )
      yield* run(Service.make(handler), (broker) =>
        Effect.all([
          broker.subAccountDeposits(),
          broker.universalTransfers({ fromAccountType: "SPOT", toAccountType: "SPOT", fromAccount: key.subAccount }),
          broker.createApiKey(key)
        ]))
      const seen = yield* Metric.snapshot
      const declared = Object.values(Metrics)
      assert.sameMembers(Array.from(new Set(seen.map(({ id }) => id))), declared.map(({ id }) => id))
      for (const { attributes = {}, description, id } of seen) {
        assert.isAbove((description ?? "").length, 10, id)
        assert.match(attributes["unit"] ?? "", /^(s|ms|\{[a-z]+\})$/, id)
        assert.notMatch(JSON.stringify(attributes), /recognisable|example\.test@|signature|secret/, id)
      }
    })))
})
