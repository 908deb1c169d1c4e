/** What becomes of one of several keys that the service refuses. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { atOnce, counts, create, credentials, inTurn, keyOf, START, times, world } from "./support/keys.ts"
import * as Service from "./support/service.ts"

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
