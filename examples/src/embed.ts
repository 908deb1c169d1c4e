import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const settledDeposits = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  // Younger records may still be joined by others: nobody can prove them complete yet.
  const to = (yield* broker.serverTime) - broker.conventions.settle
  const settled = yield* broker.streamSubAccountDeposits({ from: to - 24 * 3_600_000, to }).pipe(
    Stream.filter(({ status }) => status === 5),
    Stream.runCount
  )
  yield* Console.log(
    `${settled} settled deposits in the 24 hours until two minutes ago, and none is missing from that count`
  )
}).pipe(
  Effect.catchReason("BrokerError", "Incomplete", (gap) => Console.error(`Cannot be counted: ${gap.message}`))
)

// Reads TALLYSTICK_BASE_URL, TALLYSTICK_API_KEY and TALLYSTICK_SECRET_KEY.
const BrokerLayer = Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await settledDeposits.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
