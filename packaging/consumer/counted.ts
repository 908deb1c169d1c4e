/** Counts deposits in a worker, with the settings that it is sent. */
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

interface Settings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secretKey: string
}

const counted = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const to = (yield* broker.serverTime) - broker.conventions.settle
  return yield* broker.streamSubAccountDeposits({ from: to - 3_600_000, to }).pipe(Stream.runCount)
})

self.addEventListener("message", ({ data: { apiKey, baseUrl, secretKey } }: MessageEvent<Settings>) => {
  const options = { baseUrl, apiKey: Redacted.make(apiKey), secretKey: Redacted.make(secretKey) }
  const BrokerLayer = Broker.Broker.layer(options).pipe(Layer.provide(FetchHttpClient.layer))
  counted.pipe(Effect.provide(BrokerLayer), Effect.runPromise).then(
    (count) => self.postMessage(count),
    (error: unknown) => {
      self.postMessage(String(error))
    }
  )
})
