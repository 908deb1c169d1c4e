/** Quotes strangers' text without the secrets of the client. */
import * as Redacted from "effect/Redacted"
import * as Query from "../wire/Query.ts"
import type * as Keys from "./Keys.ts"

/** Returns strangers' text without the keys, their secrets and signatures, at most 200 characters. */
export const make = (known: () => ReadonlyArray<Keys.Key>) => (signature: string) => (text: string): string =>
  known().flatMap(({ apiKey, secretKey }) => secretKey === undefined ? [apiKey] : [apiKey, secretKey])
    .map((secret) => Redacted.value(secret))
    .concat(signature)
    .flatMap((secret) => secret === "" ? [] : [secret, Query.encode(secret)])
    .reduce((rest, secret) => rest.replaceAll(secret, "<redacted>"), text)
    .replace(/[0-9a-f]{64,}/gi, "<redacted>")
    .slice(0, 200)

export type Excerpt = ReturnType<typeof make>
