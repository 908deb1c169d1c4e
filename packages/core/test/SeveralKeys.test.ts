/** Several keys of one master that share the requests. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Conventions from "@tallystick/core/Conventions"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import { busiest } from "./support/arrivals.ts"
import * as Service from "./support/service.ts"

const START = 1_700_000_000_000

const credentials = (number: number): BrokerConfig.Credentials => ({
  apiKey: Redacted.make(`mx0key${number}`),
  secretKey: Redacted.make(`recognisable-secret-${number}`)
})

/** The number of the key that a request carries, where it is signed with that key's own secret. */
const keyOf = ({ request, url }: Service.Seen): number => {
  const number = Number(/^mx0key(\d+)$/.exec(request.headers["x-mexc-apikey"] ?? "")?.[1])
  const [, query = "", signature = ""] = /^\?(.*)&signature=(.*)$/.exec(url.search) ?? []
  const hmac = createHmac("sha256", `recognisable-secret-${number}`).update(query).digest("hex")
  assert.strictEqual(signature, hmac, "the key and the secret of a request belong together")
  return number
}

interface Use {
  readonly key: number
  readonly at: number
  readonly method: string
}

interface World {
  readonly keys: number
  readonly ratePer?: Conventions.Conventions["ratePer"]
  readonly rate?: number
  readonly options?: Partial<BrokerConfig.Options>
  /** The answer to a use of a key, of which there were `n` before; without one the answer is an empty list. */
  readonly answer?: (use: Use, n: number) => Response | Service.Reply | undefined
}

/** A broker with these keys, the requests that its service saw, and the warnings that it logged. */
const world = Effect.fnUntraced(
  function*({ answer = () => undefined, keys, options = {}, rate = 1000, ratePer = "master" }: World) {
    yield* TestClock.setTime(START)
    const used: Array<Use> = []
    const warnings: Array<string> = []
    const service = Service.make((seen, n) => {
      const use = { key: keyOf(seen), at: seen.at, method: seen.method }
      used.push(use)
      return answer(use, n) ?? Service.json([])
    })
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warnings.push(String(message))
    })
    const [first, ...further] = Array.from({ length: keys }, (_, index) => credentials(index + 1))
    const broker = yield* Broker.Broker.make({
      baseUrl: "https://api.example.test",
      ...first!,
      apiKeys: further,
      rate: { requests: rate, window: "1 second" },
      conventions: { ratePer, serverTimePath: null },
      ...options
    }).pipe(
      Effect.provideService(HttpClient.HttpClient, service.client),
      Effect.provide(NodeCrypto.layerMac)
    )
    /** Runs calls to their end under virtual time. */
    const run = <A, E>(calls: Effect.Effect<A, E>, step: "1 millis" | "20 millis" | "1 second" = "20 millis") =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(calls)
        while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(step)
        return yield* Fiber.join(fiber)
      }).pipe(Effect.provide(Logger.layer([logger])))
    return { broker, run, used, warnings, keysUsed: () => used.map(({ key }) => key) }
  }
)

const times = (count: number) => Array.from({ length: count })

/** So many calls, each after the other. */
const inTurn = (broker: Broker.Service, count: number) =>
  Effect.forEach(times(count), () => broker.subAccountDeposits(), { discard: true })

/** So many calls at once, each of which ends as it may. */
const atOnce = (broker: Broker.Service, count: number) =>
  Effect.forEach(times(count), () => Effect.result(broker.subAccountDeposits()), { concurrency: "unbounded" })

const create: Broker.CreateApiKey = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" }

const made = { apiKey: "a", secretKey: "b", createTime: 1 }

const counts = (used: ReadonlyArray<Use>, keys: number): ReadonlyArray<number> =>
  times(keys).map((_, index) => used.filter(({ key }) => key === index + 1).length)

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

describe("a key that is refused", () => {
  it.effect.each([10_072, 700_001, 700_002])(
    "with %d is left out and told once, and its calls go on with the others",
    (code) =>
      Effect.gen(function*() {
        const { broker, keysUsed, run, warnings } = yield* world({
          keys: 3,
          answer: ({ key }) => key === 2 ? Service.refusal(code) : undefined
        })
        yield* run(inTurn(broker, 5))
        assert.deepStrictEqual(keysUsed(), [1, 2, 3, 1, 3, 1])
        assert.strictEqual(warnings.length, 1)
        assert.match(
          warnings[0]!,
          /^The service refused key 2 of 3 \((Key|Signature)Rejected\): it is not used for 10 minutes, and the other keys/
        )
        assert.notMatch(warnings.join(), /mx0key|recognisable/)
      })
  )

  it.effect.each(["master", "key"] as const)(
    "by calls that were sent together is told once, and none of them fails: %s",
    (ratePer) =>
      Effect.gen(function*() {
        const { broker, run, used, warnings } = yield* world({
          keys: 3,
          ratePer,
          rate: 4,
          answer: ({ key }) => Effect.as(Effect.sleep(30), key === 2 ? Service.refusal(10_072) : Service.json([]))
        })
        yield* run(inTurn(broker, 1))
        const results = yield* run(atOnce(broker, 30))
        assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
        assert.strictEqual(warnings.length, 1)
        // Calls that wait for a permit of the refused key do not show it again.
        assert.isAtMost(counts(used, 3)[1]!, 4)
      })
  )

  it.effect("is tried again after 10 minutes, and told again if it is refused again", () =>
    Effect.gen(function*() {
      let isRefused = true
      const { broker, keysUsed, run, used, warnings } = yield* world({
        keys: 2,
        answer: ({ key }) => key === 2 && isRefused ? Service.refusal(10_072) : undefined
      })
      const later = Effect.fnUntraced(function*(minutes: number) {
        used.length = 0
        yield* TestClock.adjust(`${minutes} minutes`)
        yield* run(inTurn(broker, 3))
        return keysUsed().filter((key) => key === 2).length
      })
      assert.strictEqual(yield* later(0), 1)
      assert.strictEqual(yield* later(9), 0)
      assert.strictEqual(yield* later(2), 1)
      assert.strictEqual(warnings.length, 2)
      isRefused = false
      assert.strictEqual(yield* later(9), 0)
      assert.isAbove(yield* later(2), 0)
      assert.strictEqual(warnings.length, 2)
    }))

  it.effect("as the first one ends every call, and no other key signs until it is accepted again", () =>
    Effect.gen(function*() {
      let isRefused = true
      const { broker, keysUsed, run, used, warnings } = yield* world({
        keys: 3,
        answer: ({ key }) =>
          Effect.as(Effect.sleep(30), isRefused && key === 1 ? Service.refusal(10_072) : Service.json([]))
      })
      const refused = Effect.gen(function*() {
        const results = yield* run(atOnce(broker, 12))
        assert.isTrue(
          results.every((result) => Result.isFailure(result) && result.failure.reason._tag === "KeyRejected")
        )
        assert.deepStrictEqual(new Set(keysUsed()), new Set([1]))
      })
      yield* refused
      isRefused = false
      used.length = 0
      yield* run(inTurn(broker, 3))
      assert.deepStrictEqual(keysUsed(), [1, 2, 3])
      isRefused = true
      yield* run(Effect.flip(broker.subAccountDeposits()))
      used.length = 0
      yield* refused
      assert.deepStrictEqual(warnings, [])
    }))

  it.effect("as the first one is not replaced where a key is made", () =>
    Effect.gen(function*() {
      let isRefused = false
      const { broker, keysUsed, run } = yield* world({
        keys: 3,
        answer: ({ key }) => isRefused && key === 1 ? Service.refusal(10_072) : undefined
      })
      yield* run(inTurn(broker, 2))
      isRefused = true
      const { reason } = yield* run(Effect.flip(broker.createApiKey(create)))
      assert.strictEqual(reason._tag, "KeyRejected")
      assert.deepStrictEqual(keysUsed(), [1, 2, 1])
    }))

  it.effect("because it lacks a permission is an error that tells its number, in a scan too, and no gap", () =>
    Effect.gen(function*() {
      const { broker, keysUsed, run } = yield* world({
        keys: 2,
        answer: ({ key }) => key === 2 ? Service.refusal(700_007, 403) : undefined
      })
      yield* run(inTurn(broker, 1))
      const { message, reason } = yield* run(Effect.flip(broker.subAccountDeposits()))
      assert.deepInclude(reason, { _tag: "PermissionDenied", key: "key 2 of 2" })
      assert.include(message, "key 2 of 2 may not do this")
      const range = { from: START - 96 * 900_000, to: START - 86_400_000 / 24 }
      const error = yield* run(Effect.flip(Stream.runDrain(broker.scanSubAccountDeposits(range))))
      assert.strictEqual(error.reason._tag, "PermissionDenied")
      assert.include(keysUsed().slice(2), 2)
    }))

  it.effect("shows in no error, and neither does its secret, nor those of the others", () =>
    Effect.gen(function*() {
      const { broker, run } = yield* world({
        keys: 2,
        answer: () =>
          Service.json({ code: 999_999, msg: "mx0key1 recognisable-secret-1 mx0key2 recognisable-secret-2" }, 400)
      })
      for (const error of yield* run(Effect.forEach(times(2), () => Effect.flip(broker.subAccountDeposits())))) {
        assert.include(error.message, "<redacted>")
        assert.notMatch(`${error.message}${JSON.stringify(error)}`, /mx0key|recognisable/)
      }
    }))

  it.effect("is read again where it is one that changes, and then goes on beside the others", () =>
    Effect.gen(function*() {
      const vault = { number: 1 }
      const used: Array<number> = []
      const service = Service.make((seen) => {
        const key = keyOf(seen)
        used.push(key)
        return key === 1 && vault.number !== 1 ? Service.refusal(10_072) : Service.json([])
      })
      const broker = yield* Broker.Broker.makeRotating(
        { baseUrl: "https://api.example.test", apiKeys: [credentials(2)], conventions: { serverTimePath: null } },
        Effect.sync(() => credentials(vault.number))
      ).pipe(Effect.provideService(HttpClient.HttpClient, service.client), Effect.provide(NodeCrypto.layerMac))
      yield* inTurn(broker, 2)
      vault.number = 3
      yield* inTurn(broker, 4)
      // The key that was found has to be accepted before the other one goes on.
      assert.deepStrictEqual(used, [1, 2, 1, 3, 2, 3, 2])
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
