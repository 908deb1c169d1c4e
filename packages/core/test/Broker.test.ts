import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import * as Service from "./support/service.ts"

const signedWith = (url: URL): string => {
  const [payload = ""] = url.search.slice(1).split("&signature=")
  const signature = url.searchParams.get("signature")
  return ["secret-a", "secret-b"].find((secret) =>
    createHmac("sha256", secret).update(payload).digest("hex") === signature
  ) ?? "nobody"
}

describe("Broker", () => {
  it.effect("is made from the configuration alone", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.json([]))
      const provider = ConfigProvider.fromEnv({
        env: {
          TALLYSTICK_BASE_URL: "https://api.example.test/p/",
          TALLYSTICK_API_KEY: "key-a",
          TALLYSTICK_SECRET_KEY: "secret-a"
        }
      })
      yield* Broker.Broker.use((broker) => broker.subAccountDeposits()).pipe(
        Effect.provide(
          Broker.Broker.layerConfig().pipe(
            Layer.provide([Layer.succeed(HttpClient.HttpClient, service.client), ConfigProvider.layer(provider)])
          )
        )
      )
      const [seen] = service.seen
      assert.strictEqual(seen?.url.pathname, "/p/api/v3/broker/capital/deposit/subHisrec/getall")
      assert.strictEqual(seen?.request.headers["x-mexc-apikey"], "key-a")
      assert.strictEqual(signedWith(seen!.url), "secret-a")
    }))

  it.effect("fails to be made, naming the variable, where the configuration is wrong", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        Effect.provide(
          Broker.Broker,
          Broker.Broker.layerConfig().pipe(
            Layer.provide([
              Layer.succeed(HttpClient.HttpClient, Service.make(() => Service.json([])).client),
              ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))
            ])
          )
        )
      )
      assert.strictEqual(error.variable, "TALLYSTICK_BASE_URL")
    }))

  it.effect("stands several times in one process, each with its own key, rate and ban", () =>
    Effect.gen(function*() {
      const service = Service.make(({ request }) =>
        request.headers["x-mexc-apikey"] === "key-a"
          ? Service.refusal(418, 418, { "retry-after": "3600" })
          : Service.json([])
      )
      const make = (name: string) =>
        Broker.Broker.make({
          baseUrl: "https://api.example.test",
          apiKey: Redacted.make(`key-${name}`),
          secretKey: Redacted.make(`secret-${name}`),
          rate: { requests: 2, window: Duration.seconds(1) }
        }).pipe(Effect.provideService(HttpClient.HttpClient, service.client))
      const [a, b] = yield* Effect.all([make("a"), make("b")])
      const banned = yield* Effect.flip(a.subAccountDeposits())
      assert.strictEqual(banned.reason._tag, "Banned")
      yield* b.subAccountDeposits()
      assert.deepStrictEqual(service.seen.map(({ url }) => signedWith(url)), ["secret-a", "secret-b"])
    }))

  it.effect("as layers that are built together, two masters keep key, secret and address apart", () =>
    Effect.gen(function*() {
      class Desk extends Context.Service<Desk, Broker.Service>()("Desk") {}
      class OtherDesk extends Context.Service<OtherDesk, Broker.Service>()("OtherDesk") {}
      const service = Service.make(() => Service.json([]))
      const options = (name: string) => ({
        baseUrl: `https://${name}.example.test`,
        apiKey: Redacted.make(`key-${name}`),
        secretKey: Redacted.make(`secret-${name}`)
      })
      const own = (name: string) =>
        Broker.Broker.layerNoDeps(options(name)).pipe(
          Layer.provide([Signer.Signer.layer(options(name)), RateLimit.RateLimit.layer()])
        )
      const env = { NORTH_BASE_URL: "https://a.example.test", NORTH_API_KEY: "key-a", NORTH_SECRET_KEY: "secret-a" }
      const ways = {
        layer: [Broker.Broker.layer(options("a")), Broker.Broker.layer(options("b"))],
        layerNoDeps: [own("a"), own("b")],
        layerConfig: [
          Broker.Broker.layerConfig(BrokerConfig.config("NORTH")),
          Broker.Broker.layerConfig({
            baseUrl: Config.succeed("https://b.example.test"),
            apiKey: Config.succeed(Redacted.make("key-b")),
            secretKey: Config.succeed(Redacted.make("secret-b"))
          })
        ]
      } as const
      for (const [a, b] of Object.values(ways)) {
        service.seen.length = 0
        yield* Effect.gen(function*() {
          yield* (yield* Desk).subAccountDeposits()
          yield* (yield* OtherDesk).subAccountDeposits()
        }).pipe(
          Effect.provide([
            Layer.effect(Desk, Broker.Broker).pipe(Layer.provide(a)),
            Layer.effect(OtherDesk, Broker.Broker).pipe(Layer.provide(b))
          ]),
          Effect.provideService(HttpClient.HttpClient, service.client),
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
        )
        assert.deepStrictEqual(
          service.seen.map(({ request, url }) => [url.host, request.headers["x-mexc-apikey"], signedWith(url)]),
          [["a.example.test", "key-a", "secret-a"], ["b.example.test", "key-b", "secret-b"]]
        )
      }
    }))

  it.effect("tells the service's time, never ahead of it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_000)
      const broker = yield* Service.broker(Service.make(() => Service.json([]), Service.timeAhead(5000)))
      assert.strictEqual(yield* broker.serverTime, 1_700_000_005_000)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* broker.serverTime, 1_700_003_605_000)
    }))
})
