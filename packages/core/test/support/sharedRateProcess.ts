/** A process of its own that asks for deposits many times at once, through the rate limit that Redis keeps for all. */
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redacted from "effect/Redacted"

const [baseUrl = "", redis = "", calls = "0"] = process.argv.slice(2)

const options: BrokerConfig.Options = {
  baseUrl,
  apiKey: Redacted.make("key"),
  secretKey: Redacted.make("secret"),
  retries: 0,
  conventions: { serverTimePath: null }
}

const store = RateLimiter.layerStoreRedis({ prefix: "tallystick-test:" }).pipe(
  Layer.provide(NodeRedis.layer(redis.startsWith("/") ? { socket: { path: redis, tls: false } } : { url: redis }))
)

const layer = Broker.Broker.layerNoDeps(options).pipe(
  Layer.provide([
    Signer.Signer.layer(options),
    FetchHttpClient.layer,
    RateLimit.RateLimit.layerShared(options).pipe(Layer.provide(RateLimiter.layer.pipe(Layer.provide(store))))
  ])
)

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  yield* Effect.sync(() => process.stdout.write(`${process.hrtime.bigint()}\n`))
  yield* Effect.all(Array.from({ length: Number(calls) }, () => broker.subAccountDeposits()), {
    concurrency: "unbounded",
    discard: true
  })
}).pipe(Effect.provide(layer))

await Effect.runPromise(program)
