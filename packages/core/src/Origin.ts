/** Where records come from: an exchange's address and a key of the master account. Tells archives of two masters apart. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as BrokerConfig from "./BrokerConfig.ts"

export const Origin = Schema.Struct({
  /** Without a trailing slash. */
  baseUrl: Schema.String,
  /** The first 16 hexadecimal digits of the API key's SHA-256: tells keys apart and gives nothing away. */
  fingerprint: Schema.String
})
export type Origin = typeof Origin.Type

const DIGITS = 16

/** What a configuration reads from. */
export const of = ({ apiKey, baseUrl }: Pick<BrokerConfig.Settings, "apiKey" | "baseUrl">): Effect.Effect<Origin> =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, new TextEncoder().encode(Redacted.value(apiKey)))).pipe(
    Effect.map((hash) => ({ baseUrl, fingerprint: Hex.encode(hash).slice(0, DIGITS) })),
    Effect.provide(Digest.layerWebCrypto)
  )

/** One line for a person. */
export const describe = ({ baseUrl, fingerprint }: Origin): string => `${baseUrl}, key ${fingerprint}`
