import { assert, describe, it } from "@effect/vitest"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Server from "@tallystick/sandbox/Server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import * as Client from "./client.ts"
import { overSocket } from "./socket.ts"

const Vectors = Schema.fromJsonString(Schema.Struct({
  apiKey: Schema.String,
  secret: Schema.String,
  timestamp: Schema.Int,
  vectors: Schema.Array(Schema.Struct({
    name: Schema.String,
    method: Schema.String,
    url: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.NullOr(Schema.String)
  }))
}))

const readVectors = Effect.suspend(() =>
  Schema.decodeEffect(Vectors)(readFileSync(new URL("fixtures/signed-requests.json", import.meta.url), "utf8"))
)

describe("the server", () => {
  it.effect("accepts the published signed requests, byte for byte, over a socket", () =>
    Effect.gen(function*() {
      const { apiKey, secret, timestamp, vectors } = yield* readVectors
      yield* TestClock.setTime(timestamp)
      const exchange = yield* Exchange.Exchange.make({
        credentials: [{ ...Client.credential(), apiKey, secretKey: Redacted.make(secret) }]
      })
      const baseUrl = yield* Server.serve(exchange)
      for (const vector of vectors) {
        const { pathname, search } = new URL(vector.url)
        const target = vector.url.slice(vector.url.indexOf(pathname))
        assert.isTrue(target.endsWith(search))
        const response = yield* overSocket(baseUrl, { ...vector, target })
        assert.strictEqual(response.status, 200, `${vector.name}: ${response.body}`)
      }
      const keys = yield* exchange.keys
      assert.deepStrictEqual(keys.map((key) => key.ip.length), [0, 3, 0])
    }))

  it.effect("passes the query on as it was written, whatever its spelling", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const exchange = yield* Client.make()
      const baseUrl = yield* Server.serve(exchange)
      for (const coin of ["%55SDT", "%7e", "~", "a+b", "*", "%e4%b8%80", "."]) {
        const target = `${Client.DEPOSITS}?${Client.sign(`coin=${coin}&timestamp=${Client.NOW}`)}`
        const response = yield* overSocket(baseUrl, { target, headers: { "X-MEXC-APIKEY": Client.API_KEY } })
        assert.notInclude(response.body, "Signature", coin)
      }
    }))

  it.effect("refuses a foreign Host and an absolute target", () =>
    Effect.gen(function*() {
      const baseUrl = yield* Server.serve(yield* Client.make())
      const { port } = new URL(baseUrl)
      const asking = (host: string, target: string = Client.TIME) =>
        Effect.map(overSocket(baseUrl, { target, headers: { host } }), ({ status }) => status)
      assert.strictEqual(yield* asking(`127.0.0.1:${port}`), 200)
      assert.strictEqual(yield* asking(`localhost:${port}`), 200)
      assert.strictEqual(yield* asking(`evil.example:${port}`), 403)
      assert.strictEqual(yield* asking(`127.0.0.1.evil.example:${port}`), 403)
      assert.strictEqual(yield* asking("localhost"), 403)
      assert.strictEqual(yield* asking("localhost:1"), 403)
      assert.strictEqual(yield* asking(`localhost:${port}`, `http://evil.example${Client.TIME}`), 403)
    }))

  it.effect("listens on the loopback address only and answers refusals as JSON", () =>
    Effect.gen(function*() {
      const baseUrl = yield* Server.serve(yield* Client.make())
      assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
      const response = yield* overSocket(baseUrl, { target: Client.DEPOSITS })
      assert.strictEqual(response.status, 401)
      assert.propertyVal(response.headers, "content-type", "application/json;charset=UTF-8")
    }))

  it.effect("refuses a body that is too large", () =>
    Effect.gen(function*() {
      const baseUrl = yield* Server.serve(yield* Client.make())
      const body = "x".repeat(1_100_000)
      const response = yield* overSocket(baseUrl, { method: "POST", target: Client.KEYS, body })
      assert.strictEqual(response.status, 413)
    }))
})

describe("the sandbox", () => {
  const history = { deposits: 300, seed: 7 }

  it.effect("serves a generated history, which ends now, with its truth on a free port", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const context = yield* Layer.build(Sandbox.Sandbox.layer({ history }))
      const sandbox = Context.get(context, Sandbox.Sandbox)
      assert.isNotEmpty(sandbox.truth.pairs)
      const query = `limit=1000&timestamp=${Client.NOW}`
      const signature = Client.signature(query, Redacted.value(sandbox.secretKey))
      const response = yield* overSocket(sandbox.baseUrl, {
        target: `${Client.DEPOSITS}?${query}&signature=${signature}`,
        headers: { "X-MEXC-APIKEY": Redacted.value(sandbox.apiKey) }
      })
      assert.deepStrictEqual(JSON.parse(response.body), sandbox.history.deposits)
    }))

  it.effect("answers an HttpClient in process, without a socket", () =>
    Effect.gen(function*() {
      const sandbox = yield* Sandbox.Sandbox
      const client = yield* HttpClient.HttpClient
      yield* TestClock.setTime(Client.NOW)
      const response = yield* client.get(`${sandbox.baseUrl}${Client.TIME}`)
      assert.deepStrictEqual(yield* response.json, { serverTime: Client.NOW })
      assert.strictEqual((yield* sandbox.exchange.requests).length, 1)
    }).pipe(Effect.provide(Sandbox.Sandbox.layerInProcess({ history }))))
})
