import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Metrics from "@tallystick/core/Metrics"
import * as Signer from "@tallystick/core/Signer"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import * as Service from "./support/service.ts"

const NEW_SECRET = "new-recognisable-secret-of-a-sub-account"
/** A signature as an HSM might make it: in no alphabet that anybody could guess. */
const SIGNATURE = "Recognisable+Signature/42=="
const secrets = [Service.API_KEY, Service.SECRET, NEW_SECRET, SIGNATURE, encodeURIComponent(SIGNATURE)]

const pair = { fromAccountType: "SPOT", toAccountType: "SPOT" }
const key: Broker.CreateApiKey = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "n" }

/** Everything that a program could print of a value. */
const prints = (value: unknown): string =>
  [
    String(value),
    JSON.stringify(value, (_key, part: unknown) => typeof part === "bigint" ? String(part) : part),
    inspect(value, { depth: 12, showHidden: true, getters: true }),
    value instanceof Error ? `${value.message}\n${value.stack}\n${inspect(value.cause, { depth: 12 })}` : ""
  ].join("\n")

const findsNothing = (text: string, where: string) => {
  for (const secret of secrets) assert.notInclude(text, secret, where)
}

/** What the service says back, with everything it was sent. */
const echo = ({ request, url }: Service.Seen): string =>
  `${request.headers["x-mexc-apikey"]} ${url.href} ${Service.SECRET} ${SIGNATURE} ${encodeURIComponent(url.href)}`

/** What a transport might throw that tells too much, in every message of the chain. */
const quoting = (seen: Service.Seen): Error =>
  Object.assign(new Error(`cannot send ${echo(seen)}`, { cause: new Error(`headers: ${echo(seen)}`) }), {
    code: "ECONNRESET",
    request: seen.request
  })

const html = (body: string, status: number) => new Response(body, { status, headers: { "content-type": "text/html" } })

/** Only a POST is answered with a new key. */
const toPost = (answer: () => Response): Service.Handler => ({ method }) =>
  method === "POST" ? answer() : Service.json([])

const answers: Readonly<Record<string, Service.Handler>> = {
  ...Object.fromEntries(
    [400, 401, 602, 700001, 700002, 700003, 700006, 700013, 429, 510, 500, 730705, 730001, 4242].flatMap((code) =>
      [200, 400].map((status) => [
        `${code} in HTTP ${status}`,
        (seen: Service.Seen) => Service.json({ code, msg: echo(seen) }, status, { "retry-after": "900" })
      ])
    )
  ),
  "the key as the code": (seen) => Service.json({ code: echo(seen), msg: "" }, 400),
  "an echo in HTML": (seen) => html(echo(seen), 403),
  "an echo with 200": (seen) => html(echo(seen), 200),
  "an echo as the content type": (seen) =>
    new Response("x", { status: 200, headers: { "content-type": `text/${seen.request.headers["x-mexc-apikey"]}` } }),
  "a redirect to an echo": (seen) => new Response(null, { status: 302, headers: { location: seen.url.href } }),
  "a bad gateway": (seen) => html(echo(seen), 502),
  "a ban": (seen) => Service.json({ code: 1, msg: echo(seen) }, 418, { "retry-after": "900" }),
  "a reset": ({ request }) => Effect.fail(Service.transportError(request, "ECONNRESET")),
  "a failure without a code": ({ request }) => Effect.fail(Service.transportError(request)),
  "a failure that quotes the request": (seen) => Effect.fail(Service.transportFailure(seen.request, quoting(seen))),
  "silence": () => Effect.never,
  "bytes": (seen) =>
    new Response(new Uint8Array([255, ...new TextEncoder().encode(echo(seen))]), {
      headers: { "content-type": "application/json" }
    }),
  "JSON cut short": (seen) =>
    new Response(`{"echo":"${echo(seen)}`, { headers: { "content-type": "application/json" } }),
  "too long a body": (seen) =>
    new Response(echo(seen).repeat(500), { headers: { "content-type": "application/json" } }),
  "a key without its name": toPost(() => Service.json({ secretKey: NEW_SECRET })),
  "a new secret in a form nobody expects": toPost(() => html(JSON.stringify({ secretKey: NEW_SECRET }), 200)),
  "a new secret as the content type": toPost(() =>
    new Response("x", { headers: { "content-type": `text/${NEW_SECRET}` } })
  ),
  "a new secret as a message of success": toPost(() => Service.json({ code: 77, msg: `made: ${NEW_SECRET}` })),
  "a new secret as a message with HTTP 400": toPost(() => Service.json({ code: 77, msg: NEW_SECRET }, 400)),
  "a new secret as the code": toPost(() => Service.json({ code: NEW_SECRET })),
  "a new secret with an error": toPost(() => Service.json({ code: 5, msg: "no", secretKey: NEW_SECRET })),
  "a good key": toPost(() => Service.json({ apiKey: "a", secretKey: NEW_SECRET }))
}

/** Hears everything that goes to logs, spans and metrics. */
const listen = () => {
  const heard: Array<string> = []
  const metrics: Metric.MetricRegistry = new Map()
  const logger = Logger.make((entry) => void heard.push(prints(entry), Logger.formatLogFmt.log(entry)))
  class HeardSpan extends Tracer.NativeSpan {
    override attribute(name: string, value: unknown): void {
      heard.push(name, prints(value))
      super.attribute(name, value)
    }
    override event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
      heard.push(name, prints(attributes))
      super.event(name, startTime, attributes)
    }
    override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
      heard.push(this.name, prints(exit))
      super.end(endTime, exit)
    }
  }
  const layer = Layer.mergeAll(
    Logger.layer([logger]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    Layer.succeed(Metric.MetricRegistry, metrics),
    Layer.succeed(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          heard.push(prints([options.name, options.kind, options.annotations, options.links]))
          return new HeardSpan(options)
        }
      })
    )
  )
  return { heard, layer }
}

const brokerFor = (handler: Service.Handler) =>
  Effect.gen(function*() {
    const service = Service.make(handler)
    const signer = Signer.Signer.of({ sign: () => Effect.succeed(SIGNATURE) })
    const broker = yield* Broker.Broker.pipe(
      Effect.provide(Service.brokerLayer({ ...Service.options, maxBody: 20_000 }, service, signer))
    )
    return { service, broker }
  })

describe("key, secret and signature stand nowhere but in the request", () => {
  it.effect.each(Object.keys(answers))("when the service answers with %s", (name) =>
    Effect.gen(function*() {
      const { heard, layer } = listen()
      yield* Effect.gen(function*() {
        const { broker, service } = yield* brokerFor(answers[name]!)
        const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          broker.createApiKey(key),
          broker.universalTransfers(pair),
          broker.subAccountDeposits(),
          broker.serverTime,
          broker.clock,
          Stream.runCollect(broker.scanSubAccountDeposits({ from: 1, to: 2 })),
          Stream.runCollect(broker.streamSubAccountDeposits({ from: 1, to: 2 })),
          Stream.runCollect(broker.scanUniversalTransfers({ ...pair, from: 1, to: 2 })),
          Stream.runCollect(broker.streamUniversalTransfers({ ...pair, from: 1, to: 2 }))
        ]
        for (const [index, call] of calls.entries()) {
          const exit = yield* Service.withAdvancingClock(
            Effect.exit(
              call.pipe(Effect.tapCause((cause) => Effect.logError("it failed", cause)), Effect.withSpan("s"))
            )
          )
          findsNothing(prints(exit), `${name}: exit of call ${index}`)
          if (Exit.isFailure(exit)) findsNothing(Cause.pretty(exit.cause), `${name}: cause of call ${index}`)
        }
        assert.isAbove(service.seen.length, 0)
        assert.strictEqual(service.seen[0]?.request.headers["x-mexc-apikey"], Service.API_KEY)
        assert.include(service.seen[0]?.request.url, SIGNATURE)
        findsNothing(prints(broker), `${name}: the broker`)
        const measured = yield* Metric.snapshot
        assert.include(measured.map(({ id }) => id), Metrics.requests.id)
        findsNothing(prints(measured), `${name}: metrics`)
      }).pipe(Effect.provide(layer))
      assert.isAbove(heard.length, 0)
      findsNothing(heard.join("\n"), `${name}: logs and spans`)
    }))

  it.effect("when a hexadecimal signature comes back, alone or glued to other text", () =>
    Effect.gen(function*() {
      const { client, seen } = Service.make(({ url }) => {
        const signature = url.searchParams.get("signature") ?? ""
        return Service.json({
          code: 700002,
          msg:
            `${signature} x${signature} %3D${signature} ${signature.toUpperCase()} %3D${signature.toUpperCase()} ${signature}0`
        })
      })
      const broker = yield* Broker.Broker.make(Service.options).pipe(
        Effect.provideService(HttpClient.HttpClient, client)
      )
      const error = yield* Effect.flip(broker.subAccountDeposits())
      const signature = seen[0]?.url.searchParams.get("signature") ?? ""
      assert.match(signature, /^[0-9a-f]{64}$/)
      assert.notInclude(prints(error).toLowerCase(), signature)
      assert.include(error.message, "<redacted>")
    }))
})

/** A client that tells all it sees, in every way that a program may print a request. */
const telling = (client: HttpClient.HttpClient, heard: Array<string>) => {
  const tell = (what: string, value: unknown) =>
    Effect.andThen(
      Effect.sync(() => void heard.push(prints(value))),
      Effect.logInfo(what, value).pipe(Effect.annotateLogs({ value }))
    )
  return client.pipe(
    HttpClient.transform((send, request) =>
      send.pipe(
        Effect.tapCause((cause) => tell("failed", cause)),
        // Somebody wants the spans that we leave out.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => false),
        Effect.withSpan("sent", { attributes: { request, headers: request.headers, url: prints(request) } })
      )
    ),
    HttpClient.tapRequest((request) => tell("request", request)),
    HttpClient.tapRequest(({ headers }) => tell("headers", headers)),
    HttpClient.tap((response) => tell("response", response.request))
  )
}

/** What quotes the request itself is a transport's own doing. */
const cut = (request: HttpClientRequest.HttpClientRequest) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, cause: new Error("read ECONNRESET") })
  })

describe("a client that logs and traces what it sends", () => {
  it.effect.each(["X-MEXC-APIKEY", "Exchange-Key"])(
    "prints neither key nor signature, whatever the header: %s",
    (name) =>
      Effect.gen(function*() {
        const { heard, layer } = listen()
        yield* Effect.gen(function*() {
          const service = Service.make(({ method, request }, n) =>
            n > 2
              ? Effect.fail(cut(request))
              : Service.json(method === "GET" ? [] : {})
          )
          const broker = yield* Service.broker(
            { ...service, client: telling(service.client, heard) },
            { conventions: { apiKeyHeader: name }, retries: 0 },
            Signer.Signer.of({ sign: () => Effect.succeed(SIGNATURE) })
          )
          yield* Effect.exit(broker.createApiKey(key))
          yield* broker.subAccountDeposits()
          yield* broker.universalTransfers(pair)
          yield* Effect.exit(broker.subAccountDeposits())
          assert.strictEqual(service.seen[3]?.request.headers[name.toLowerCase()], Service.API_KEY)
          assert.include(service.seen[3]?.request.url, SIGNATURE)
        }).pipe(Effect.provide(layer))
        assert.include(heard.join("\n"), "subHisrec")
        assert.include(heard.join("\n").toLowerCase(), name.toLowerCase())
        findsNothing(heard.join("\n"), "what was told")
      })
  )
})

describe("a new key", () => {
  it.effect("gives its secret only when it is unwrapped", () =>
    Effect.gen(function*() {
      const { broker } = yield* brokerFor(answers["a good key"]!)
      const made = yield* broker.createApiKey(key)
      findsNothing(prints(made), "the key")
      findsNothing(prints({ ...made }), "its copy")
      assert.strictEqual(Redacted.value(made.secretKey), NEW_SECRET)
    }))

  it.effect("is read in every spelling, and nothing else in the answer can lose its secret", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_000)
      const secretKey = NEW_SECRET
      const odd: ReadonlyArray<readonly [object, object]> = [
        [{
          apiKey: "a",
          secretKey,
          createTime: 5,
          ip: "1.1.1.1, 2.2.2.2",
          permissions: "X,Y",
          note: "m",
          subAccount: "s"
        }, {
          apiKey: "a",
          createTime: 5,
          ip: ["1.1.1.1", "2.2.2.2"],
          permissions: ["X", "Y"],
          note: "m",
          subAccount: "s"
        }],
        [{ apikey: "a", secretKey, creatTime: 6, ip: ["1.1.1.1"], permissions: ["X"] }, {
          apiKey: "a",
          createTime: 6,
          ip: ["1.1.1.1"],
          permissions: ["X"]
        }],
        [{ apiKey: "", apikey: "a", secretKey }, { apiKey: "a" }],
        [{ apiKey: "a", secretKey, note: null, subAccount: 7, ip: null, permissions: null, createTime: null }, {
          note: "n",
          subAccount: "sub00001",
          ip: [],
          permissions: []
        }],
        [{ apiKey: "a", secretKey, createTime: "1700000000123" }, { createTime: 1_700_000_000_123 }],
        [{ apiKey: "a", secretKey, createTime: 1e300, note: { deep: 1 } }, {
          note: "n"
        }],
        [{ apiKey: "a", secretKey }, { permissions: ["SPOT_ACCOUNT_READ"], ip: [] }],
        [{ code: 200, msg: "ok", apiKey: "a", secretKey }, { apiKey: "a" }]
      ]
      for (const [answer, expected] of odd) {
        const { broker } = yield* brokerFor(() => Service.json(answer))
        const made = yield* broker.createApiKey(key)
        assert.deepInclude(made, expected)
        // This machine's clock says nothing about when the service made it.
        assert.strictEqual("createTime" in made, "createTime" in expected)
        assert.strictEqual(Redacted.value(made.secretKey), NEW_SECRET)
      }
    }))
})

describe("the configuration", () => {
  it.effect("prints neither key nor secret", () =>
    Effect.gen(function*() {
      const settings = yield* Effect.fromResult(BrokerConfig.make(Service.options))
      findsNothing(prints(settings), "settings")
      findsNothing(prints(yield* Signer.Signer.make(settings.secretKey)), "signer")
    }))
})
