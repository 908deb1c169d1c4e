import { assert, describe, it } from "@effect/vitest"
import * as Conventions from "@tallystick/core/Conventions"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const { DEPOSITS, KEYS, LIST, NOW, refusal, TIME, TRANSFERS } = Client

const withoutLists = Conventions.make({ subAccountsPath: null, apiKeysPath: null })

const signed = (parameters: Client.Query) => Client.sign(Client.render(parameters))

describe("the API key", () => {
  it.effect("is missed, malformed or unknown, each with its own code", () =>
    Effect.gen(function*() {
      const withKey = (key: string | undefined) =>
        refusal({}, "GET", DEPOSITS, {}, { headers: { "x-mexc-apikey": key } })
      assert.strictEqual(yield* withKey(undefined), 401)
      assert.strictEqual(yield* withKey("no key at all"), 700001)
      assert.strictEqual(yield* withKey("another-key"), 10072)
      assert.strictEqual(yield* withKey(Client.API_KEY), 200)
    }))

  it.effect("stands in the header that the conventions name", () =>
    Effect.gen(function*() {
      const options = { conventions: Conventions.make({ apiKeyHeader: "X-Other-Key" }) }
      assert.strictEqual(yield* refusal(options, "GET", DEPOSITS, {}), 401)
      const headers = { "x-other-key": Client.API_KEY }
      assert.strictEqual(yield* refusal(options, "GET", DEPOSITS, {}, { headers }), 200)
    }))

  it.effect("needs the permission of the operation", () =>
    Effect.gen(function*() {
      const holding = (permission: string) => ({ credentials: [Client.credential([permission])] })
      const body = JSON.stringify({ subAccount: "sub00001", permissions: "SPOT_ACCOUNT_READ", note: "n" })
      assert.strictEqual(yield* refusal(holding("SPOT_TRANSFER_READ"), "GET", DEPOSITS, {}), 700007)
      assert.strictEqual(yield* refusal(holding("SPOT_DEPOSIT_READ"), "GET", DEPOSITS, {}), 200)
      assert.strictEqual(yield* refusal(holding("SPOT_DEPOSIT_READ"), "GET", TRANSFERS, Client.ROUTE), 700007)
      assert.strictEqual(yield* refusal(holding("SPOT_TRANSFER_READ"), "GET", TRANSFERS, Client.ROUTE), 200)
      assert.strictEqual(yield* refusal(holding("SPOT_ACCOUNT_READ"), "POST", KEYS, {}, { body }), 700007)
      assert.strictEqual(yield* refusal(holding("SPOT_ACCOUNT_WRITE"), "POST", KEYS, {}, { body }), 200)
    }))
})

describe("the signature", () => {
  const query = `timestamp=${NOW}&recvWindow=5000`
  const withQuery = (rawQuery: string) => refusal({}, "GET", DEPOSITS, {}, { rawQuery })

  it.effect("is missed", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* withQuery(query), 700004)
      assert.strictEqual(yield* withQuery(`${query}&signature=`), 700004)
      assert.strictEqual(yield* withQuery(""), 700004)
    }))

  it.effect("must be lowercase hex of the right secret over exactly what was sent", () =>
    Effect.gen(function*() {
      const good = Client.signature(query)
      assert.strictEqual(yield* withQuery(`${query}&signature=${good}`), 200)
      assert.strictEqual(yield* withQuery(`${query}&signature=${good.toUpperCase()}`), 700002)
      assert.strictEqual(yield* withQuery(`${query}&signature=${Client.signature(query, "other-secret")}`), 700002)
      assert.strictEqual(yield* withQuery(`recvWindow=5000&timestamp=${NOW}&signature=${good}`), 700002)
    }))

  it.effect("must be the last parameter and the only one of its name", () =>
    Effect.gen(function*() {
      const good = Client.signature(query)
      assert.strictEqual(yield* withQuery(`signature=${good}&${query}`), 700002)
      assert.strictEqual(yield* withQuery(`${query}&signature=${good}&page=1`), 700002)
      const twice = `${query}&signature=${good}`
      assert.strictEqual(yield* withQuery(`${twice}&signature=${Client.signature(twice)}`), 700002)
    }))

  it.effect("is checked before any parameter is read", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* withQuery("timestamp=yesterday&page=0&coin=%&signature=00"), 700002)
      assert.strictEqual(yield* withQuery(Client.sign(`${query}&coin=%E4%B8`)), 700008)
      assert.strictEqual(yield* withQuery(Client.sign(`${query}&page=1&page=2`)), 700004)
    }))

  it.effect("covers the body of a POST only where the conventions say so", () =>
    Effect.gen(function*() {
      const body = JSON.stringify({ subAccount: "sub00001", permissions: "SPOT_ACCOUNT_READ", note: "n" })
      const both = { conventions: Conventions.make({ signedPayload: "query+body" }) }
      const rawQuery = Client.sign(query, body)
      assert.strictEqual(yield* refusal({}, "POST", KEYS, {}, { body }), 200)
      assert.strictEqual(yield* refusal({}, "POST", KEYS, {}, { body, rawQuery }), 700002)
      assert.strictEqual(yield* refusal(both, "POST", KEYS, {}, { body, rawQuery }), 200)
      assert.strictEqual(yield* refusal(both, "POST", KEYS, {}, { body }), 700002)
    }))
})

describe("the clock window", () => {
  const stamped = (timestamp: number | string, recvWindow: number | string = 5000) =>
    refusal({}, "GET", DEPOSITS, {}, { rawQuery: signed({ timestamp, recvWindow }) })

  it.effect("takes a timestamp that is less than a second ahead and at most recvWindow old", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* stamped(NOW + 999), 200)
      assert.strictEqual(yield* stamped(NOW + 1000), 700003)
      assert.strictEqual(yield* stamped(NOW - 5000), 200)
      assert.strictEqual(yield* stamped(NOW - 5001), 700003)
      assert.strictEqual(yield* stamped(NOW + 1000, 60_000), 700003)
      assert.strictEqual(yield* stamped(NOW - 60_000, 60_000), 200)
    }))

  it.effect("is 5 seconds without recvWindow and never more than 60", () =>
    Effect.gen(function*() {
      const rawQuery = signed({ timestamp: NOW - 5001 })
      assert.strictEqual(yield* refusal({}, "GET", DEPOSITS, {}, { rawQuery }), 700003)
      assert.strictEqual(yield* stamped(NOW, 60_001), 700005)
      assert.strictEqual(yield* stamped(NOW, 0), 730002)
    }))

  it.effect("needs a timestamp", () =>
    Effect.gen(function*() {
      const rawQuery = signed({ recvWindow: 5000 })
      assert.strictEqual(yield* refusal({}, "GET", DEPOSITS, {}, { rawQuery }), 700004)
      assert.strictEqual(yield* stamped("now"), 700008)
    }))

  it.effect("follows the server's own clock, which may be ahead", () =>
    Effect.gen(function*() {
      const options = { faults: { clock: { offset: 7000 } } }
      assert.strictEqual(yield* refusal(options, "GET", DEPOSITS, {}), 700003)
      const rawQuery = signed({ timestamp: NOW + 7000 })
      assert.strictEqual(yield* refusal(options, "GET", DEPOSITS, {}, { rawQuery }), 200)
    }))
})

describe("routes", () => {
  it.effect("tell the time without a signature, unless the endpoint is absent", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const bare = { headers: {}, rawQuery: "" }
      const exchange = yield* Client.make()
      const response = yield* Client.send(exchange, "GET", TIME, {}, bare)
      assert.deepStrictEqual(JSON.parse(response.body), { serverTime: NOW })
      assert.strictEqual(yield* refusal({ rules: { rate: null, serverTime: false } }, "GET", TIME, {}, bare), 404)
    }))

  it.effect("answer JSON for what they do not know", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* refusal({}, "GET", "/api/v3/account", {}), 404)
      assert.strictEqual(yield* refusal({}, "GET", "/constructor", {}), 404)
      assert.strictEqual(yield* refusal({}, "POST", DEPOSITS, {}), 405)
      assert.strictEqual(yield* refusal({}, "DELETE", KEYS, {}), 405)
      assert.strictEqual(yield* refusal({ conventions: withoutLists }, "GET", KEYS, {}), 405)
      assert.strictEqual(yield* refusal({ conventions: withoutLists, subAccounts: ["sub00001"] }, "GET", LIST, {}), 404)
      // An exchange of which nobody said which sub-accounts it has cannot list them.
      assert.strictEqual(yield* refusal({}, "GET", LIST, {}), 404)
    }))

  it.effect("remember every request with the server's time and the answer's status", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const exchange = yield* Client.make()
      yield* Client.send(exchange, "GET", DEPOSITS)
      yield* TestClock.adjust(250)
      yield* Client.send(exchange, "GET", "/nowhere")
      assert.deepStrictEqual(yield* exchange.requests, [
        { at: NOW, method: "GET", path: DEPOSITS, status: 200 },
        { at: NOW + 250, method: "GET", path: "/nowhere", status: 404 }
      ])
    }))
})
