/** Whose records an archive holds: an exchange's address and a key of the master account. */
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

export const Stamp = Schema.Struct({
  /** Without a trailing slash. */
  baseUrl: Schema.String,
  /** The first 16 hexadecimal digits of the API key's SHA-256: tells keys apart and gives nothing away. */
  fingerprint: Schema.String
})
export type Stamp = typeof Stamp.Type

const DIGITS = 16

/** The stamp of what a configuration would read. */
export const of = (
  { apiKey, baseUrl }: Pick<BrokerConfig.Settings, "apiKey" | "baseUrl">
): Effect.Effect<Stamp> =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, new TextEncoder().encode(Redacted.value(apiKey)))).pipe(
    Effect.map((hash) => ({ baseUrl, fingerprint: Hex.encode(hash).slice(0, DIGITS) })),
    Effect.provide(Digest.layerWebCrypto)
  )

export const describe = ({ baseUrl, fingerprint }: Stamp): string => `${baseUrl}, key ${fingerprint}`
