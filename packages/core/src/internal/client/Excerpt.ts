/** Quotes strangers' text without the secrets of the client. */
import * as Redacted from "effect/Redacted"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as Query from "../wire/Query.ts"

/** Returns strangers' text without key, secret and signatures, at most 200 characters. */
export const make =
  ({ apiKey, secretKey }: BrokerConfig.UnsignedSettings) => (signature: string) => (text: string): string =>
    [apiKey, secretKey].map((secret) => (secret === undefined ? "" : Redacted.value(secret)))
      .concat(signature)
      .flatMap((secret) => secret === "" ? [] : [secret, Query.encode(secret)])
      .reduce((rest, secret) => rest.replaceAll(secret, "<redacted>"), text)
      .replace(/[0-9a-f]{64,}/gi, "<redacted>")
      .slice(0, 200)

export type Excerpt = ReturnType<typeof make>
