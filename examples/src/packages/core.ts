import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const to = (yield* broker.serverTime) - broker.conventions.settle
  const count = yield* Stream.runCount(broker.streamSubAccountDeposits({ from: to - 3_600_000, to }))
  yield* Console.log(`${count} deposits in that hour, and none is missing from the count`)
})

// Reads TALLYSTICK_BASE_URL, TALLYSTICK_API_KEY and TALLYSTICK_SECRET_KEY.
const BrokerLayer = Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
