/** Several keys of one master that share the requests. */
import { assert, describe, it } from "@effect/vitest"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { busiest } from "./support/arrivals.ts"
import { atOnce, counts, create, credentials, inTurn, made, START, type Use, world } from "./support/keys.ts"
import * as Service from "./support/service.ts"

const Small = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
const Many = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
const Per = Schema.Literals(["master", "key"])

describe("several keys of one master", () => {
  it.effect("sign in turn, beginning with the first", () =>
    Effect.gen(function*() {
      const { broker, keysUsed, run } = yield* world({ keys: 3 })
      yield* run(inTurn(broker, 7))
      assert.deepStrictEqual(keysUsed(), [1, 2, 3, 1, 2, 3, 1])
    }))

  it.effect.prop(
    "have a fair share of any number of calls, at once and in turn, whatever their rate is counted by",
    { keys: Small, calls: Many, ratePer: Per },
    ({ calls, keys, ratePer }) =>
      Effect.gen(function*() {
        const { broker, run, used } = yield* world({ keys, ratePer, rate: 5 })
        yield* run(inTurn(broker, 1))
        yield* run(atOnce(broker, calls), "1 second")
        const shares = counts(used.slice(1), keys)
        assert.strictEqual(used.length, calls + 1)
        assert.isAtMost(Math.max(...shares) - Math.min(...shares), 1, shares.join(" "))
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect.prop(
    "never exceed the rate, that of all together or that of each, and come near it",
    { keys: Small, rate: Small, ratePer: Per },
    ({ keys, rate, ratePer }) =>
      Effect.gen(function*() {
        const answer = (_: Use, n: number) => Effect.as(Effect.sleep((n * 7) % 40), Service.json([]))
        const { broker, run, used } = yield* world({ keys, ratePer, rate, answer })
        const calls = 6 * keys * rate
        yield* run(inTurn(broker, 1))
        yield* run(atOnce(broker, calls))
        assert.strictEqual(used.length, calls + 1)
        const arrivals = used.map(({ at }) => at)
        const took = (Math.max(...arrivals) - Math.min(...arrivals)) / 1000
        if (ratePer === "master") assert.isAtMost(busiest(arrivals, 1000), rate)
        else {
          for (let key = 1; key <= keys; key++) {
            assert.isAtMost(busiest(used.filter((use) => use.key === key).map(({ at }) => at), 1000), rate)
          }
        }
        const most = ratePer === "master" ? rate : rate * keys
        // A window and its rest take 1.011 s, and an answer up to 40 ms.
        assert.isAtMost(took, ((calls + 1) / most + 1) * 1.1)
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect("leave a new key to the first, so that an unknown outcome is about one key", () =>
    Effect.gen(function*() {
      const { broker, run, used } = yield* world({
        keys: 3,
        answer: ({ method }) => method === "POST" ? Service.json(made) : undefined
      })
      yield* run(inTurn(broker, 1))
      yield* run(broker.createApiKey(create))
      yield* run(inTurn(broker, 1))
      yield* run(broker.createApiKey(create))
      assert.deepStrictEqual(used.map(({ key, method }) => `${method} ${key}`), ["GET 1", "POST 1", "GET 2", "POST 1"])
    }))

  it.effect("have the origin of the first", () =>
    Effect.gen(function*() {
      const several = yield* world({ keys: 3 })
      const alone = yield* world({ keys: 1 })
      assert.deepStrictEqual(yield* several.broker.origin, yield* alone.broker.origin)
    }))
})

describe("further keys among the options", () => {
  const options = { baseUrl: "https://api.example.test", ...credentials(1) }
  const other = credentials(2)

  it("are each of the form of a key, and each there once", () => {
    for (
      const [apiKeys, problem] of [
        [
          [other, { ...credentials(3), apiKey: Redacted.make("mx0 key3") }],
          "has a wrong apiKey in entry 2 of 2; allowed: "
        ],
        [[{ ...other, secretKey: Redacted.make(" recognisable") }], "has a wrong secretKey in entry 1 of 1; allowed: "],
        [[other, other], "repeats a key in entry 2 of 2; wanted: each key once"],
        [[credentials(1)], "repeats the first key in entry 1 of 1; wanted: further keys of the same master"]
      ] as const
    ) {
      const made = BrokerConfig.make({ ...options, apiKeys })
      assert(Result.isFailure(made))
      assert.strictEqual(made.failure.variable, "apiKeys")
      assert.isTrue(made.failure.problem.startsWith(problem), made.failure.problem)
      assert.notMatch(made.failure.message, /mx0|recognisable/)
    }
    assert.deepStrictEqual(Result.getOrThrow(BrokerConfig.make({ ...options, apiKeys: [other] })).apiKeys, [other])
    assert.deepStrictEqual(Result.getOrThrow(BrokerConfig.make(options)).apiKeys, [])
  })

  it.effect("come from a variable of any prefix, and are hidden", () =>
    Effect.gen(function*() {
      const { apiKeys = [] } = yield* BrokerConfig.load(BrokerConfig.config("NORTH")).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({
          NORTH_BASE_URL: "https://api.example.test",
          NORTH_API_KEY: "mx0key1",
          NORTH_SECRET_KEY: "s",
          NORTH_API_KEYS: JSON.stringify([{ apiKey: "mx0key2", secretKey: "recognisable" }])
        })))
      )
      assert.deepStrictEqual(apiKeys.map(({ apiKey, secretKey }) => [apiKey, secretKey].map(Redacted.value)), [
        ["mx0key2", "recognisable"]
      ])
      assert.notMatch(JSON.stringify(apiKeys), /mx0|recognisable/)
    }))
})

describe("a service that asks to wait", () => {
  const tooMany = () => Service.refusal(429, 429, { "retry-after": "5" })

  it.effect("holds the key that it said it to, where it counts by key", () =>
    Effect.gen(function*() {
      const { broker, run, used, warnings } = yield* world({
        keys: 2,
        ratePer: "key",
        answer: ({ key }, n) => key === 2 && n < 5 ? tooMany() : undefined
      })
      yield* run(inTurn(broker, 6))
      assert.deepStrictEqual(used.map(({ key }) => key), [1, 2, 1, 1, 1, 1, 1])
      assert.isBelow(used.at(-1)!.at - START, 1000)
      assert.deepStrictEqual(warnings, ["The service asks to wait; nothing is sent with key 2 of 2 for 5 s."])
      yield* TestClock.adjust("5 seconds")
      used.length = 0
      yield* run(inTurn(broker, 4))
      assert.deepStrictEqual(used.map(({ key }) => key), [2, 1, 2, 1])
    }))

  it.effect("holds all keys where it counts them together", () =>
    Effect.gen(function*() {
      const { broker, run, used, warnings } = yield* world({
        keys: 2,
        answer: (_, n) => n === 1 ? tooMany() : undefined
      })
      yield* run(inTurn(broker, 3), "1 second")
      assert.deepStrictEqual(used.map(({ at }) => at - START >= 5000), [false, false, true, true])
      assert.deepStrictEqual(warnings, ["The service asks to wait; nothing is sent for 5 s."])
    }))

  it.effect("holds all keys after a ban, which may be of the address", () =>
    Effect.gen(function*() {
      const { broker, run, used } = yield* world({
        keys: 2,
        ratePer: "key",
        answer: (_, n) => n === 1 ? Service.refusal(418, 418, { "retry-after": "60" }) : undefined
      })
      yield* run(inTurn(broker, 3), "1 second")
      assert.deepStrictEqual(used.map(({ at }) => at - START >= 60_000), [false, false, true, true])
    }))

  it.effect("fails a call only where every key has to wait longer than is waited out", () =>
    Effect.gen(function*() {
      const { broker, run, used } = yield* world({
        keys: 2,
        ratePer: "key",
        options: { maxWait: "3 seconds" },
        answer: ({ key }, n) => key === 2 || n > 2 ? tooMany() : undefined
      })
      yield* run(inTurn(broker, 2))
      assert.deepStrictEqual(used.map(({ key }) => key), [1, 2, 1])
      const { reason } = yield* run(Effect.flip(broker.subAccountDeposits()))
      assert.strictEqual(reason._tag, "RateLimited")
      const before = used.length
      yield* run(Effect.flip(broker.subAccountDeposits()))
      assert.strictEqual(used.length, before)
    }))

  it.effect("waits for no permit of a key that begins to wait meanwhile", () =>
    Effect.gen(function*() {
      const { broker, run, used } = yield* world({
        keys: 2,
        ratePer: "key",
        rate: 2,
        answer: ({ key }, n) => key === 2 && n < 8 ? Service.refusal(429, 429, { "retry-after": "600" }) : undefined,
        options: { maxWait: "20 minutes" }
      })
      yield* run(inTurn(broker, 1))
      yield* run(atOnce(broker, 12))
      assert.isBelow(used.at(-1)!.at - START, 10_000)
      // The calls that waited for a permit of this key are sent with the other.
      assert.strictEqual(counts(used, 2)[1], 2)
    }))
})

describe("a service that does not answer", () => {
  it.effect("is one service for all keys", () =>
    Effect.gen(function*() {
      const { broker, run, used } = yield* world({
        keys: 4,
        ratePer: "key",
        answer: () => Service.refusal(1, 503)
      })
      yield* run(atOnce(broker, 200), "1 second")
      assert.isBelow(used.length, 220)
      const before = used.length
      const begun = yield* Clock.currentTimeMillis
      yield* run(atOnce(broker, 200), "1 second")
      assert.isBelow(used.length - before, 10)
      assert.isBelow((yield* Clock.currentTimeMillis) - begun, 60_000)
    }))
})
