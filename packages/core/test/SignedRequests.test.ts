import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Conventions from "@tallystick/core/Conventions"
import * as Signer from "@tallystick/core/Signer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import { createHmac } from "node:crypto"
import * as Query from "../src/internal/wire/Query.ts"
import * as Service from "./support/service.ts"
import * as Wire from "./support/wire.ts"
import golden from "./vectors/signed-requests.json" with { type: "json" }

type Vector = (typeof golden.vectors)[number]

const credentials = { apiKey: Redacted.make(golden.apiKey), secretKey: Redacted.make(golden.secret) }

const Input = {
  createApiKey: Schema.Struct({
    subAccount: Schema.String,
    permissions: Schema.String,
    note: Schema.String,
    ip: Schema.optionalKey(Schema.String)
  }),
  transferHistory: Schema.Struct({ fromAccountType: Schema.String, toAccountType: Schema.String }),
  depositHistory: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))
}

/** Runs the operation of a vector. */
const perform = (broker: Broker.Service, vector: Vector): Effect.Effect<unknown, unknown> => {
  const { recvWindow } = vector
  if (vector.name.startsWith("createApiKey")) {
    const { ip, permissions, ...rest } = Schema.decodeUnknownSync(Input.createApiKey)(vector.input)
    const list = ip === undefined ? {} : { ip: ip.split(",") }
    return broker.createApiKey({ ...rest, ...list, permissions: permissions.split(","), recvWindow })
  }
  return vector.name.startsWith("transferHistory")
    ? broker.universalTransfers({ ...Schema.decodeUnknownSync(Input.transferHistory)(vector.input), recvWindow })
    : broker.subAccountDeposits({ ...Schema.decodeSync(Input.depositHistory)(vector.input), recvWindow })
}

const answer = (method: string) => method === "POST" ? { apiKey: "a", secretKey: "b" } : []

describe("the golden requests", () => {
  it.effect.each(golden.vectors)(
    "are signed alike: $name",
    ({ signature, signaturePayload }) =>
      Effect.gen(function*() {
        const signer = yield* Signer.Signer.make(credentials.secretKey)
        assert.strictEqual(yield* signer.sign(signaturePayload), signature)
      })
  )

  it.effect.each(golden.vectors)("are built byte for byte: $name", (vector) =>
    Effect.gen(function*() {
      yield* TestClock.setTime(golden.timestamp)
      const service = Service.make(({ method }) => Service.json(answer(method)))
      const broker = yield* Broker.Broker.make({
        baseUrl: "https://api.mexc.com",
        ...credentials,
        conventions: { depositReach: Number.MAX_SAFE_INTEGER, recvWindowOn: "all" }
      }).pipe(Effect.provideService(HttpClient.HttpClient, service.client))
      yield* perform(broker, vector)
      const [seen] = service.seen
      assert.strictEqual(seen?.method, vector.method)
      assert.strictEqual(seen?.request.url, vector.url)
      assert.strictEqual(seen?.url.href, vector.url)
      assert.isTrue(Option.isNone(seen!.request.hash))
      for (const [name, value] of Object.entries(vector.headers)) {
        assert.strictEqual(seen?.request.headers[name.toLowerCase()], value)
      }
      const { body } = seen!.request
      assert.strictEqual(body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : null, vector.body)
    }))

  describe.each(Wire.clientNames)("arrive byte for byte through %s", (name) => {
    it.effect.each(golden.vectors)("$name", (vector) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(golden.timestamp)
        const server = yield* Wire.server((request, response, socket) =>
          Wire.sendJson(answer(request.method))(request, response, socket)
        )
        const broker = yield* Wire.broker(server.baseUrl, name, {
          ...credentials,
          conventions: { depositReach: Number.MAX_SAFE_INTEGER }
        })
        yield* perform(broker, vector)
        assert.strictEqual(server.arrived.length, 1)
        const [arrived] = server.arrived
        assert.strictEqual(arrived?.method, vector.method)
        assert.strictEqual(`https://api.mexc.com${arrived?.target}`, vector.url)
        assert.strictEqual(arrived?.body, vector.body ?? "")
        for (const [header, value] of Object.entries(vector.headers)) {
          assert.strictEqual(arrived?.headers[header.toLowerCase()], value)
        }
        if (vector.method === "GET") assert.isUndefined(arrived?.headers["content-type"])
      }))
  })
})

const awkward = [
  "a b",
  "it's",
  "(x)*!",
  "~-._",
  "a+b&c=d?e#f/g",
  "100%",
  "%41",
  "почта@пример.рф",
  "é",
  "😀🏦",
  "a\tb\nc",
  "\\\"<>^`{|}[]:;,$@",
  "\u0000\u007f",
  "\ud800 lone"
]

const rfc3986 = (text: string): string =>
  Array.from(Buffer.from(text, "utf8"), (byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9~._-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  }).join("")

const isSigned = (target: string, secret: string, addition = "") => {
  const query = target.slice(target.indexOf("?") + 1)
  const [payload, signature] = query.split("&signature=")
  assert.strictEqual(signature, createHmac("sha256", secret).update(payload + addition).digest("hex"))
}

describe("the query", () => {
  it("escapes everything but letters, digits and ~ - . _ as uppercase hex of UTF-8", () => {
    for (const text of awkward) assert.strictEqual(Query.encode(text), rfc3986(text))
  })

  it.effect.prop("escapes any text so", [Schema.String], ([text]) =>
    Effect.sync(() => {
      assert.strictEqual(Query.encode(text), rfc3986(text))
      assert.strictEqual(decodeURIComponent(Query.encode(text)), text.toWellFormed())
    }))
})

describe.each(Wire.clientNames)("through %s", (name) => {
  it.effect("what was signed is what arrives, whatever the characters and the path prefix", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server(Wire.sendJson([]))
      const broker = yield* Wire.broker(`${server.baseUrl}/gate/v~1/`, name, {
        rate: { requests: 100, window: Duration.seconds(1) }
      })
      for (const account of awkward) {
        yield* broker.universalTransfers({ fromAccount: account, fromAccountType: "SPOT", toAccountType: "FUTURES" })
        const { target } = server.arrived.at(-1)!
        assert.isTrue(
          target.startsWith(
            `/gate/v~1/api/v3/broker/sub-account/universalTransfer?fromAccount=${rfc3986(account)}&fromAccountType=SPOT`
          )
        )
        isSigned(target, Service.SECRET)
      }
    }))

  it.effect("a body beyond ASCII arrives as it was signed", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server(Wire.sendJson({ apiKey: "a", secretKey: "b" }))
      const broker = yield* Wire.broker(server.baseUrl, name, { conventions: { signedPayload: "query+body" } })
      const note = "Grüße \"🏦\" \\ \u2028"
      yield* broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note })
      const [arrived] = server.arrived
      assert.deepStrictEqual(JSON.parse(arrived!.body), {
        subAccount: "sub00001",
        permissions: "SPOT_ACCOUNT_READ",
        note
      })
      isSigned(arrived!.target, Service.SECRET, arrived!.body)
      assert.strictEqual(arrived!.headers["content-length"], String(Buffer.byteLength(arrived!.body)))
    }))

  it.effect("no trace headers arrive, not even inside a span", () =>
    Effect.gen(function*() {
      const server = yield* Wire.server((request, response, socket) =>
        request.target.endsWith("/time")
          ? Wire.sendJson({ serverTime: 5 })(request, response, socket)
          : Wire.sendJson([])(request, response, socket)
      )
      const broker = yield* Wire.broker(server.baseUrl, name, { conventions: { serverTimePath: "/api/v3/time" } })
      const spans: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          spans.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      yield* broker.subAccountDeposits().pipe(Effect.withSpan("outer"), Effect.withTracer(tracer))
      assert.include(spans, "outer")
      assert.strictEqual(server.arrived.length, 2)
      for (const { headers } of server.arrived) {
        for (const header of Object.keys(headers)) assert.notMatch(header, /^(traceparent|tracestate|b3|x-b3-.*)$/)
      }
    }))
})

describe("by convention", () => {
  it.effect.each<readonly [string, Partial<Conventions.Conventions>, ReadonlyArray<string | null>]>([
    ["on deposits only, as in the document", {}, [null, null, "5000"]],
    ["on all operations where it is set", { recvWindow: 7000 }, ["7000", "7000", "7000"]],
    ["on all operations where that is set", { recvWindowOn: "all" }, ["5000", "5000", "5000"]],
    ["on deposits only where that is set", { recvWindow: 7000, recvWindowOn: "deposits" }, [null, null, "7000"]]
  ])("recvWindow goes %s", ([, conventions, expected]) =>
    Effect.gen(function*() {
      const service = Service.make(({ method }) => Service.json(answer(method)))
      const broker = yield* Service.broker(service, { conventions })
      yield* broker.createApiKey({ subAccount: "sub00001", permissions: ["A"], note: "n" })
      yield* broker.universalTransfers({ fromAccountType: "SPOT", toAccountType: "SPOT" })
      yield* broker.subAccountDeposits()
      assert.deepStrictEqual(service.seen.map(({ url }) => url.searchParams.get("recvWindow")), expected)
    }))

  it.effect("the header has another name, and recvWindow goes to deposits only", () =>
    Effect.gen(function*() {
      const service = Service.make(({ method }) => Service.json(answer(method)))
      const broker = yield* Service.broker(service, {
        conventions: { apiKeyHeader: "X-Broker-Key", recvWindowOn: "deposits", recvWindow: 1234 }
      })
      yield* broker.universalTransfers({ fromAccountType: "SPOT", toAccountType: "SPOT" })
      yield* broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "n" })
      yield* broker.universalTransfers({ fromAccountType: "SPOT", toAccountType: "SPOT", recvWindow: 77 })
      yield* broker.subAccountDeposits()
      assert.deepStrictEqual(
        service.seen.map(({ url }) => url.searchParams.get("recvWindow")),
        [null, null, "77", "1234"]
      )
      for (const { request } of service.seen) assert.strictEqual(request.headers["x-broker-key"], Service.API_KEY)
    }))

  it.effect("somebody else signs, and what cannot be signed is not sent", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.json([]))
      const signer = Signer.Signer.of({
        sign: () => Effect.fail(new BrokerError.SigningFailed({ detail: "the HSM sleeps" }))
      })
      const broker = yield* Broker.Broker.pipe(
        Effect.provide(Service.brokerLayer(Service.options, service, signer))
      )
      for (
        const call of [
          Effect.asVoid(broker.subAccountDeposits()),
          Effect.asVoid(broker.createApiKey({ subAccount: "sub00001", permissions: ["A"], note: "n" }))
        ]
      ) {
        const error = yield* Effect.flip(call)
        assert.strictEqual(error.reason._tag, "SigningFailed")
        assert.include(error.message, "the HSM sleeps")
      }
      assert.strictEqual(service.seen.length, 0)
    }))
})
