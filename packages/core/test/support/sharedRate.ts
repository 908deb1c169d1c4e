import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"

const SharedRate = RateLimit.RateLimit.layerShared.pipe(
  Layer.provide(RateLimiter.layer),
  Layer.provide(RateLimiter.layerStoreRedis({})),
  Layer.provide(NodeRedis.layer({ url: "redis://127.0.0.1:6379" }))
)

export const SharedBroker = Broker.Broker.layerNoDeps.pipe(
  Layer.provide([Signer.Signer.layer, SharedRate]),
  Layer.provide(BrokerConfig.BrokerConfig.layerConfig)
)
