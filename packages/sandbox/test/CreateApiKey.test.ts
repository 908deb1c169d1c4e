import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { DEPOSITS, KEYS, NOW, refusal } = Client

describe("creating a key", () => {
  const good = { subAccount: "sub00001", permissions: "SPOT_ACCOUNT_READ,SPOT_ACCOUNT_WRITE", note: "note" }
  const create = (body: unknown) => refusal({}, "POST", KEYS, {}, { body: JSON.stringify(body) })
  const addresses = (count: number) => Array.from({ length: count }, (_, i) => `10.0.0.${i}`).join(",")

  it.effect("needs a JSON content type", () =>
    Effect.gen(function*() {
      const body = JSON.stringify(good)
      const typed = (contentType: string | undefined) =>
        refusal({}, "POST", KEYS, {}, {
          body,
          headers: { "x-mexc-apikey": Client.API_KEY, "content-type": contentType }
        })
      assert.strictEqual(yield* typed(undefined), 700013)
      assert.strictEqual(yield* typed("application/x-www-form-urlencoded"), 700013)
      assert.strictEqual(yield* typed("application/json; charset=utf-8"), 200)
    }))

  it.effect("needs a body of the documented shape", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* refusal({}, "POST", KEYS, {}, { body: "subAccount=sub00001" }), 33333)
      assert.strictEqual(yield* create([good]), 33333)
      assert.strictEqual(yield* create({ ...good, permissions: ["SPOT_ACCOUNT_READ"] }), 33333)
    }))

  it.effect("needs sub-account, permissions and note", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* create(good), 200)
      assert.strictEqual(yield* create({ ...good, subAccount: "" }), 730600)
      assert.strictEqual(yield* create({ ...good, subAccount: null }), 730600)
      assert.strictEqual(yield* create({ ...good, subAccount: "short" }), 730601)
      assert.strictEqual(yield* create({ ...good, permissions: undefined }), 730701)
      assert.strictEqual(yield* create({ ...good, permissions: "SPOT_ACCOUNT_READ," }), 730701)
      assert.strictEqual(yield* create({ ...good, permissions: "SPOT_ACCOUNT_REED" }), 730702)
      assert.strictEqual(yield* create({ ...good, note: " " }), 730700)
    }))

  it.effect("links at most 20 addresses, each one an IP", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* create({ ...good, ip: addresses(20) }), 200)
      assert.strictEqual(yield* create({ ...good, ip: addresses(21) }), 730703)
      assert.strictEqual(yield* create({ ...good, ip: "2001:db8::1" }), 200)
      assert.strictEqual(yield* create({ ...good, ip: "10.0.0.256" }), 730704)
      assert.strictEqual(yield* create({ ...good, ip: "10.0.0.1,,10.0.0.2" }), 730704)
    }))

  it.effect("refuses a sub-account that does not exist, where the accounts are known", () =>
    Effect.gen(function*() {
      const body = JSON.stringify(good)
      assert.strictEqual(yield* refusal({ subAccounts: ["sub00002"] }, "POST", KEYS, {}, { body }), 140001)
      assert.strictEqual(yield* refusal({ subAccounts: ["sub00001"] }, "POST", KEYS, {}, { body }), 200)
    }))

  it.effect("is not idempotent: the same request twice makes two keys", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make()
      const request = yield* Client.request("POST", KEYS, {}, { body: JSON.stringify({ ...good, ip: "10.0.0.1" }) })
      const first = yield* exchange.handle(request)
      yield* exchange.handle(request)
      const [one, two, ...more] = yield* exchange.keys
      assert.isDefined(one)
      assert.isDefined(two)
      assert.deepStrictEqual(more, [])
      assert.notStrictEqual(one.apiKey, two.apiKey)
      assert.notStrictEqual(Redacted.value(one.secretKey), Redacted.value(two.secretKey))
      assert.deepStrictEqual(JSON.parse(first.body), {
        subAccount: "sub00001",
        note: "note",
        apiKey: one.apiKey,
        secretKey: Redacted.value(one.secretKey),
        permissions: "SPOT_ACCOUNT_READ,SPOT_ACCOUNT_WRITE",
        ip: "10.0.0.1",
        createTime: NOW
      })
    }))

  it.effect("stops at 30 keys for one sub-account", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make()
      const create = (subAccount: string) =>
        Client.send(exchange, "POST", KEYS, {}, { body: JSON.stringify({ ...good, subAccount }) })
      for (let i = 0; i < 30; i++) assert.strictEqual((yield* create("sub00001")).status, 200)
      assert.strictEqual(yield* Client.codeOf(yield* create("sub00001")), 730705)
      assert.strictEqual((yield* create("sub00002")).status, 200)
      assert.strictEqual((yield* exchange.keys).length, 31)
    }))

  it.effect("makes keys that sign, but that are no broker's", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make()
      yield* Client.send(exchange, "POST", KEYS, {}, { body: JSON.stringify(good) })
      const [key] = yield* exchange.keys
      assert.isDefined(key)
      const query = `timestamp=${NOW}`
      const response = yield* Client.send(exchange, "GET", DEPOSITS, {}, {
        headers: { "x-mexc-apikey": key.apiKey },
        rawQuery: `${query}&signature=${Client.signature(query, Redacted.value(key.secretKey))}`
      })
      assert.strictEqual(yield* Client.codeOf(response), 730603)
    }))
})
