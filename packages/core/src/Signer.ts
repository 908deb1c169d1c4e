/** Signs request texts. A KMS, an HSM or a remote signer takes the place of `Signer.layer`. */
import * as Context from "effect/Context"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as BrokerConfig from "./BrokerConfig.ts"
import * as BrokerError from "./BrokerError.ts"

const webCrypto = Effect.provide(
  Mac.Mac,
  Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))
)

/** The signer of requests: it keeps the secret, and signs the text of a request. */
export class Signer extends Context.Service<Signer, {
  /** Returns the signature of a payload, as it goes on the wire. It is called once an attempt, after the rate limit. */
  readonly sign: (payload: string) => Effect.Effect<string, BrokerError.SigningFailed>
}>()("@tallystick/core/Signer") {
  /**
   * Signs by HMAC-SHA256 with the UTF-8 secret as the key, in lowercase hex. The secret is unwrapped once, here. A `Mac` of the
   * context computes the signature where there is one, and WebCrypto otherwise. Node's own (`NodeCrypto.layerMac`) does not leave
   * the thread for it and is faster.
   */
  static readonly make = Effect.fnUntraced(function*(secret: Redacted.Redacted) {
    const mac = yield* Effect.flatMap(
      Effect.serviceOption(Mac.Mac),
      Option.match({ onNone: () => webCrypto, onSome: Effect.succeed })
    )
    const encoder = new TextEncoder()
    const key = yield* Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(secret))).pipe(Effect.orDie)
    return Signer.of({
      sign: (payload) =>
        mac.sign(key, encoder.encode(payload)).pipe(
          Effect.map(Hex.encode),
          Effect.mapError((error) => new BrokerError.SigningFailed({ detail: error.message }))
        )
    })
  })

  /** Signs with the secret of these options. */
  static readonly layer = (
    options: Pick<BrokerConfig.Options, "secretKey">
  ): Layer.Layer<Signer, BrokerConfig.ConfigurationError> =>
    Layer.effect(Signer, Effect.flatMap(Effect.fromResult(BrokerConfig.secretKey(options)), Signer.make))
}
