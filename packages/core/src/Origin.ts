/**
 * Identifies the origin of records by an exchange's address and a key of the master account. It tells archives of two masters
 * apart.
 */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as BrokerConfig from "./BrokerConfig.ts"

/** The origin of records: an exchange, and a key of one master account. */
export class Origin extends Schema.Opaque<Origin>()(
  Schema.Struct({
    /** Without a trailing slash. */
    baseUrl: Schema.String,
    /** The first 16 hexadecimal digits of the API key's SHA-256. They tell keys apart and give nothing away. */
    fingerprint: Schema.String
  }).annotate({ identifier: "Origin" })
) {}

const DIGITS = 16

/** Returns the origin of the records that a configuration reads. */
export const of = ({ apiKey, baseUrl }: Pick<BrokerConfig.Settings, "apiKey" | "baseUrl">): Effect.Effect<Origin> =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, new TextEncoder().encode(Redacted.value(apiKey)))).pipe(
    Effect.map((hash) => ({ baseUrl, fingerprint: Hex.encode(hash).slice(0, DIGITS) })),
    Effect.provide(Digest.layerWebCrypto)
  )

/** Writes the origin as one line for a person. */
export const describe = ({ baseUrl, fingerprint }: Origin): string => `${baseUrl}, key ${fingerprint}`
