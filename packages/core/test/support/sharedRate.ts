import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"

const Permits = RateLimiter.layer.pipe(
  Layer.provide(RateLimiter.layerStoreRedis({})),
  Layer.provide(NodeRedis.layer({ url: "redis://127.0.0.1:6379" }))
)

const sharing = (options: BrokerConfig.Options) =>
  Broker.Broker.layerNoDeps(options).pipe(
    Layer.provide([Signer.Signer.layer(options), RateLimit.RateLimit.layerShared(options)])
  )

export const SharedBroker = Layer.unwrap(Effect.map(BrokerConfig.load(), sharing)).pipe(Layer.provide(Permits))
