import { assert, describe, it } from "@effect/vitest"
import type * as Exchange from "@tallystick/sandbox/Exchange"
import * as Server from "@tallystick/sandbox/Server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Client from "./client.ts"
import { overSocket, type Sent } from "./socket.ts"

const target = "/sandbox/faults"
const json = { "content-type": "application/json" }
const faults = { seed: 3, wire: [{ kind: "error", share: 0.5, status: 502 }], latency: [[0, 1], [1, 2]] }

const Told = Schema.fromJsonString(Schema.Struct({ path: Schema.String, reason: Schema.String }))

const serve = Effect.fnUntraced(function*(options: Partial<Exchange.Options> = {}) {
  const exchange = yield* Client.make(options)
  const baseUrl = yield* Server.serve(exchange)
  const ask = (sent: Partial<Sent> = {}) => overSocket(baseUrl, { target, ...sent })
  const put = (value: unknown, headers: Record<string, string> = {}) =>
    ask({ method: "PUT", headers: { ...json, ...headers }, body: JSON.stringify(value) })
  return { exchange, baseUrl, port: new URL(baseUrl).port, ask, put }
})

describe("/sandbox/faults", () => {
  it.effect("tells, replaces and ends the faults of the running server", () =>
    Effect.gen(function*() {
      const { ask, baseUrl, exchange, put } = yield* serve({ faults: { pageCap: 3 } })
      assert.strictEqual(Server.faultsUrl(baseUrl), baseUrl + target)
      const told = yield* ask()
      assert.strictEqual(told.status, 200)
      assert.propertyVal(told.headers, "content-type", "application/json;charset=UTF-8")
      assert.deepStrictEqual(JSON.parse(told.body), { pageCap: 3 })
      const replaced = yield* put(faults)
      assert.deepStrictEqual([replaced.status, JSON.parse(replaced.body)], [200, faults])
      assert.deepStrictEqual<unknown>(yield* exchange.faults, faults)
      assert.deepStrictEqual(JSON.parse((yield* ask()).body), faults)
      const ended = yield* ask({ method: "DELETE" })
      assert.deepStrictEqual([ended.status, ended.body], [200, "{}"])
      assert.deepStrictEqual(yield* exchange.faults, {})
    }))

  it.effect("changes what the next request meets", () =>
    Effect.gen(function*() {
      const { ask, put } = yield* serve()
      const time = Effect.map(ask({ target: Client.TIME }), ({ status }) => status)
      assert.strictEqual(yield* time, 200)
      yield* put({ wire: [{ kind: "error", status: 502 }] })
      assert.strictEqual(yield* time, 502)
      yield* ask({ method: "DELETE" })
      assert.strictEqual(yield* time, 200)
    }))

  it.effect.each<[string, unknown, { readonly path: string; readonly reason: RegExp }]>([
    ["an unknown key", { wires: [] }, { path: "wires", reason: /^this key is not known here$/ }],
    ["an unknown key inside", { wire: [{ kind: "reset", at: "body", x: 1 }] }, {
      path: "wire.0.x",
      reason: /not known/
    }],
    ["an unknown kind", { wire: [{ kind: "flood" }] }, { path: "wire.0", reason: /kind is error, reset, .* or ban$/ }],
    ["a share above 1", { wire: [{ kind: "error", share: 2 }] }, { path: "wire.0.share", reason: /between 0 and 1/ }],
    ["a missing place", { wire: [{ kind: "reset" }] }, { path: "wire.0.at", reason: /Missing key/ }],
    ["no URL", { wire: [{ kind: "redirect", to: "elsewhere" }] }, { path: "wire.0.to", reason: /http or https URL/ }],
    ["a URL of two lines", { wire: [{ kind: "redirect", to: "https://a.example\r\nset-cookie: b" }] }, {
      path: "wire.0.to",
      reason: /visible ASCII/
    }],
    ["a URL that no header can hold", { wire: [{ kind: "redirect", to: "https://a.example/\u4f60" }] }, {
      path: "wire.0.to",
      reason: /visible ASCII/
    }],
    ["a falling latency", { latency: [[0.5, 20], [0.9, 10]] }, { path: "latency", reason: /ascend/ }],
    ["a list", [], { path: "", reason: /Expected object/ }]
  ])(
    "refuses %s with its place and the reason, and changes nothing",
    ([, value, { path, reason }]) =>
      Effect.gen(function*() {
        const { exchange, put } = yield* serve({ faults: { pageCap: 3 } })
        const refused = yield* put(value)
        assert.strictEqual(refused.status, 400)
        const told = yield* Schema.decodeEffect(Told)(refused.body)
        assert.strictEqual(told.path, path)
        assert.match(told.reason, reason)
        assert.deepStrictEqual(yield* exchange.faults, { pageCap: 3 })
      })
  )

  it.effect("refuses what is no JSON, what does not say that it is, and what it cannot do", () =>
    Effect.gen(function*() {
      const { ask } = yield* serve()
      const put = { method: "PUT", headers: json }
      const broken = yield* ask({ ...put, body: "{" })
      assert.strictEqual(broken.status, 400)
      assert.match(broken.body, /not valid JSON/)
      for (
        const headers of [{}, { "content-type": "text/plain" }, { "content-type": "application/x-www-form-urlencoded" }]
      ) {
        assert.strictEqual((yield* ask({ ...put, headers, body: "{}" })).status, 415)
      }
      const posted = yield* ask({ ...put, method: "POST", body: "{}" })
      assert.strictEqual(posted.status, 405)
      assert.propertyVal(posted.headers, "allow", "GET, PUT, DELETE")
    }))

  it.effect("refuses a foreign Host, a foreign Origin and pages of other sites", () =>
    Effect.gen(function*() {
      const { ask, exchange, port, put } = yield* serve({ faults: { pageCap: 3 } })
      const foreign = [
        { host: `evil.example:${port}` },
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "" },
        { origin: "http://127.0.0.1" },
        { origin: `http://127.0.0.1:${Number(port) + 1}` },
        { origin: `https://127.0.0.1:${port}` },
        { origin: `http://127.0.0.1:${port}.evil.example` },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" }
      ]
      for (const headers of foreign) {
        assert.strictEqual((yield* ask({ headers })).status, 403, JSON.stringify(headers))
        assert.strictEqual((yield* put(faults, headers)).status, 403, JSON.stringify(headers))
        assert.strictEqual((yield* ask({ method: "DELETE", headers })).status, 403, JSON.stringify(headers))
        assert.strictEqual((yield* ask({ method: "OPTIONS", headers })).status, 403, JSON.stringify(headers))
      }
      assert.deepStrictEqual(yield* exchange.faults, { pageCap: 3 })
      const own = [
        { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" },
        { origin: `http://localhost:${port}`, host: `localhost:${port}` },
        { "sec-fetch-site": "none" }
      ]
      for (const headers of own) assert.strictEqual((yield* ask({ headers })).status, 200, JSON.stringify(headers))
    }))

  it.effect("is unknown to the rate limit, the faults and the log of requests", () =>
    Effect.gen(function*() {
      const rate = { limit: 1, window: 60_000, patience: 0, ban: 60 }
      const { ask, exchange, put } = yield* serve({ rules: { rate }, faults: { wire: [{ kind: "error" }] } })
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* ask()).status, 200)
      assert.strictEqual((yield* put({})).status, 200)
      assert.deepStrictEqual(yield* exchange.requests, [])
      assert.strictEqual((yield* ask({ target: Client.TIME })).status, 200)
      assert.strictEqual((yield* exchange.requests).length, 1)
    }))
})
