import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

class KmsError extends Schema.TaggedError<KmsError>()("KmsError", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

const Answer = Schema.Struct({ Mac: Schema.Uint8ArrayFromBase64 })

/** A key management service, with the only request that is needed. */
class Kms extends Context.Service<Kms, {
  /** The HMAC-SHA256 of a message, with a key that never leaves the service. */
  readonly mac: (message: Uint8Array<ArrayBuffer>) => Effect.Effect<Uint8Array, KmsError>
}>()("example/Kms") {
  /** A signing service with the interface of AWS KMS (`GenerateMac`), which knows this machine by its own means. */
  static readonly layerHttp = Layer.effect(
    Kms,
    Effect.gen(function*() {
      const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
      const url = yield* Config.String("KMS_URL")
      const mac = Effect.fnUntraced(function*(message: Uint8Array<ArrayBuffer>) {
        const request = yield* HttpClientRequest.post(url).pipe(
          HttpClientRequest.schemaBodyJson(
            Schema.Struct({ KeyId: Schema.String, MacAlgorithm: Schema.String, Message: Schema.Uint8ArrayFromBase64 })
          )({ KeyId: "alias/exchange", MacAlgorithm: "HMAC_SHA_256", Message: message })
        )
        const response = yield* client.execute(request)
        return (yield* HttpClientResponse.schemaBodyJson(Answer)(response)).Mac
      })
      return Kms.of({
        mac: (message) =>
          mac(message).pipe(
            Effect.timeout("5 seconds"),
            Effect.mapError((error) => new KmsError({ detail: `the KMS gave no signature (${error._tag})` }))
          )
      })
    })
  )
}

const KmsSigner = Layer.effect(
  Signer.Signer,
  Kms.useSync(({ mac }) =>
    Signer.Signer.of({
      sign: (payload) =>
        mac(new TextEncoder().encode(payload)).pipe(
          Effect.map(Hex.encode),
          Effect.mapError(({ detail }) => new BrokerError.SigningFailed({ detail }))
        )
    })
  )
)

// A program that signs elsewhere has no secret.
const options = Config.all({
  baseUrl: Config.String("TALLYSTICK_BASE_URL"),
  apiKey: Config.Redacted("TALLYSTICK_API_KEY")
})

const BrokerLayer = Layer.unwrap(Effect.map(options, Broker.Broker.layerNoDeps)).pipe(
  Layer.provide([KmsSigner.pipe(Layer.provide(Kms.layerHttp)), RateLimit.RateLimit.layer()]),
  Layer.provide(FetchHttpClient.layer)
)

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const { records } = yield* broker.subAccountDeposits({ limit: 10 })
  yield* Console.log(`${records.length} deposits were read with a signature from the KMS`)
})

await program.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
