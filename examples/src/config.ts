import * as Broker from "@tallystick/core/Broker"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

// The environment comes first, then the values of this program.
const ConfigLayer = ConfigProvider.layer(
  ConfigProvider.fromEnv().pipe(
    ConfigProvider.orElse(
      ConfigProvider.fromUnknown({
        TALLYSTICK: {
          RATE: { requests: 10, window: "1 second" },
          TIMEOUT: "10 seconds",
          CONVENTIONS: { recvWindow: 10_000 }
        }
      })
    )
  )
)

const program = Effect.gen(function*() {
  const { conventions } = yield* Broker.Broker
  yield* Console.log(`A request is good for ${conventions.recvWindow} ms`)
})

const BrokerLayer = Broker.Broker.layerConfig().pipe(Layer.provide([FetchHttpClient.layer, ConfigLayer]))

await program.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
