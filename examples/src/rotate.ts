import * as Broker from "@tallystick/core/Broker"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

const Credentials = Schema.Struct({
  apiKey: Schema.RedactedFromValue(Schema.String),
  secretKey: Schema.RedactedFromValue(Schema.String)
})

/** Reads the key from a vault, which replaces it every night. */
const credentials = Effect.gen(function*() {
  const vault = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
  const response = yield* vault.get(yield* Config.String("VAULT_URL"))
  return yield* HttpClientResponse.schemaBodyJson(Credentials)(response)
})

const options = Effect.map(Config.String("TALLYSTICK_BASE_URL"), (baseUrl) => ({
  baseUrl,
  rate: { requests: 10, window: "1 second" },
  // Requests that got no answer are sent again every 5 seconds, for a minute at most.
  retrySchedule: Schedule.spaced("5 seconds"),
  retryBudget: "1 minute"
} as const))

const BrokerLayer = Layer.unwrap(
  Effect.map(options, (options) => Broker.Broker.layerRotating(options, credentials))
).pipe(Layer.provide(FetchHttpClient.layer))

const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const today = DateTime.formatIsoDate(DateTime.setZone(yield* DateTime.now, berlin))
  const day = yield* Effect.fromResult(TimeRange.businessDay(today, berlin))
  const deposits = yield* broker.streamSubAccountDeposits({ ...day, openTail: true }).pipe(Stream.runCount)
  yield* Console.log(`${deposits} deposits today, in Berlin`)
})

await program.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
