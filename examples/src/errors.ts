import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

/** Tells errors that are worth waking somebody for from those that pass by themselves. */
const advice = (error: BrokerError.BrokerError): string => {
  switch (error.category) {
    case "throttling":
    case "transient":
      return "it may pass: try again in the next round"
    case "incomplete":
      return "the records are not all there: count nothing, and read the interval again"
    case "unknown-outcome":
      return "a person must look whether it happened"
    default:
      return "it will not pass by itself: wake somebody"
  }
}

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const now = yield* broker.serverTime
  // The exchange has certainly forgotten some of what lies between 96 and 72 hours ago.
  const count = yield* broker.streamSubAccountDeposits({ from: now - 75 * 3_600_000, to: now }).pipe(Stream.runCount)
  yield* Console.log(`${count} deposits`)
}).pipe(
  Effect.catchTag("BrokerError", (error) => Console.log(`${error.reason._tag}: ${advice(error)}`))
)

const BrokerLayer = Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
