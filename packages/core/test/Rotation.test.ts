/** Credentials that change while a program runs. */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { createHmac } from "node:crypto"
import * as Service from "./support/service.ts"

const HEADER = "x-mexc-apikey"

const credentials = (number: number): BrokerConfig.Credentials => ({
  apiKey: Redacted.make(`mx0key${number}`),
  secretKey: Redacted.make(`recognisable-secret-${number}`)
})

/** The number of the key that a request carries, where it is signed with that key's own secret. */
const keyOf = ({ request, url }: Service.Seen): number => {
  const number = Number(/^mx0key(\d+)$/.exec(request.headers[HEADER] ?? "")?.[1])
  const [, query = "", signature = ""] = /^\?(.*)&signature=(.*)$/.exec(url.search) ?? []
  const hmac = createHmac("sha256", `recognisable-secret-${number}`).update(query).digest("hex")
  assert.strictEqual(signature, hmac, "the key and the secret of a request belong together")
  return number
}

class VaultError extends Schema.TaggedError<VaultError>()("VaultError", { detail: Schema.String }) {}

const made = { apiKey: "a", secretKey: "b", createTime: 1 }

/** A vault whose key changes, and a service that takes one key only. */
const world = (
  { answer = () => Service.json([]), refusal = 10_072 }: {
    readonly answer?: () => Response
    readonly refusal?: number
  } = {}
) => {
  const vault = { number: 1, reads: 0, fails: false }
  const accepted = { number: 1 }
  const used: Array<number> = []
  const service = Service.make((seen) => {
    const number = keyOf(seen)
    used.push(number)
    return number === accepted.number ? answer() : Service.refusal(refusal)
  })
  const read = Effect.suspend(() => {
    vault.reads++
    return vault.fails
      ? Effect.fail(new VaultError({ detail: "recognisable-secret-1" }))
      : Effect.as(Effect.yieldNow, credentials(vault.number))
  })
  const broker = Broker.Broker.makeRotating({
    baseUrl: "https://api.example.test",
    rate: { requests: 1000, window: "1 second" }
  }, read)
    .pipe(Effect.provideService(HttpClient.HttpClient, service.client))
  return { vault, accepted, used, broker }
}

describe("credentials that change", () => {
  it.live("are read once when the broker is made, and not again while the service takes them", () =>
    Effect.gen(function*() {
      const { broker, used, vault } = world()
      const { subAccountDeposits } = yield* broker
      yield* subAccountDeposits()
      yield* subAccountDeposits()
      assert.deepStrictEqual(used, [1, 1])
      assert.strictEqual(vault.reads, 1)
    }))

  it.live.each([10_072, 700_001, 700_002])(
    "are read again after the refusal %d, and the call succeeds",
    (refusal) =>
      Effect.gen(function*() {
        const { accepted, broker, used, vault } = world({ refusal })
        const { origin, subAccountDeposits } = yield* broker
        const before = yield* origin
        accepted.number = vault.number = 2
        yield* subAccountDeposits()
        yield* subAccountDeposits()
        assert.deepStrictEqual(used, [1, 2, 2])
        assert.strictEqual(vault.reads, 2)
        assert.notDeepEqual(yield* origin, before)
      })
  )

  it.live("make no second key of a sub-account: what was refused is sent again, and nothing else", () =>
    Effect.gen(function*() {
      const { accepted, broker, used, vault } = world({ answer: () => Service.json(made) })
      const { createApiKey } = yield* broker
      accepted.number = vault.number = 2
      const key = yield* createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" })
      assert.strictEqual(key.apiKey, "a")
      assert.deepStrictEqual(used, [1, 2])
    }))

  it.live("are read once for all calls that are refused at the same time", () =>
    Effect.gen(function*() {
      const { accepted, broker, used, vault } = world()
      const { subAccountDeposits } = yield* broker
      accepted.number = vault.number = 2
      yield* Effect.all(Array.from({ length: 20 }, () => subAccountDeposits()), { concurrency: "unbounded" })
      assert.strictEqual(vault.reads, 2)
      assert.strictEqual(used.filter((number) => number === 2).length, 20)
    }))

  it.live("that did not change leave the refusal as it is, after one reading", () =>
    Effect.gen(function*() {
      const { accepted, broker, used, vault } = world()
      const { subAccountDeposits } = yield* broker
      accepted.number = 2
      const { reason } = yield* Effect.flip(subAccountDeposits())
      assert.strictEqual(reason._tag, "KeyRejected")
      assert.deepStrictEqual(used, [1])
      assert.strictEqual(vault.reads, 2)
      // A later call asks again: the vault may have another key by then.
      vault.number = 2
      yield* subAccountDeposits()
      assert.deepStrictEqual(used, [1, 1, 2])
    }))

  it.live("that are refused too are not read a third time in the same call", () =>
    Effect.gen(function*() {
      const { accepted, broker, used, vault } = world()
      const { subAccountDeposits } = yield* broker
      accepted.number = 3
      vault.number = 2
      const { reason } = yield* Effect.flip(subAccountDeposits())
      assert.strictEqual(reason._tag, "KeyRejected")
      assert.deepStrictEqual(used, [1, 2])
      assert.strictEqual(vault.reads, 2)
    }))

  it.live("that cannot be read end the call with an error that holds no secret", () =>
    Effect.gen(function*() {
      const { accepted, broker, vault } = world()
      const { subAccountDeposits } = yield* broker
      accepted.number = 2
      vault.fails = true
      const error = yield* Effect.flip(subAccountDeposits())
      assert.strictEqual(error.reason._tag, "SigningFailed")
      assert.include(error.message, "could not be read again (VaultError)")
      assert.notInclude(JSON.stringify(error), "recognisable-secret")
      vault.fails = false
      vault.number = 2
      yield* subAccountDeposits()
    }))

  it.live("fail with their own error where their first reading fails, and with ours where they are no credentials", () =>
    Effect.gen(function*() {
      const { broker, vault } = world()
      vault.fails = true
      assert.strictEqual((yield* Effect.flip(broker))._tag, "VaultError")
      const error = yield* Broker.Broker.makeRotating(
        { baseUrl: "https://api.example.test" },
        Effect.succeed({ apiKey: Redacted.make("mx0key1"), secretKey: Redacted.make("") })
      ).pipe(Effect.provideService(HttpClient.HttpClient, Service.make(() => Service.json([])).client), Effect.flip)
      assert.deepInclude(error, { _tag: "ConfigurationError", variable: "secretKey" })
    }))

  it.live("are shown in no error, not even those that are no longer in force", () =>
    Effect.gen(function*() {
      const { accepted, broker, vault } = world({
        answer: () =>
          Service.json({ code: 999_999, msg: "mx0key1 recognisable-secret-1 mx0key2 recognisable-secret-2" }, 400)
      })
      const { subAccountDeposits } = yield* broker
      accepted.number = vault.number = 2
      const error = yield* Effect.flip(subAccountDeposits())
      assert.include(error.message, "<redacted>")
      assert.notMatch(`${error.message}${JSON.stringify(error)}`, /mx0key|recognisable/)
    }))
})
