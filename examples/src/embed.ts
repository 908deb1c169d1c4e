import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const settledDeposits = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const now = yield* broker.serverTime
  const settled = yield* broker.streamSubAccountDeposits({ from: now - 24 * 3_600_000, to: now }).pipe(
    Stream.filter(({ status }) => status === 5),
    Stream.runCount
  )
  yield* Console.log(`${settled} deposits settled in the last 24 hours, and none is missing from that count`)
}).pipe(
  Effect.catchReason("BrokerError", "Incomplete", (gap) => Console.error(`Cannot be counted: ${gap.message}`))
)

// Reads TALLYSTICK_BASE_URL, TALLYSTICK_API_KEY and TALLYSTICK_SECRET_KEY.
const BrokerLayer = Broker.Broker.layerConfig.pipe(Layer.provide(FetchHttpClient.layer))

await settledDeposits.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
