/** Authenticates a request by key, signature and clock, over the raw query, before it is decoded. */
import type * as Conventions from "@tallystick/core/Conventions"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Credential } from "../../Credential.ts"
import { type Checked, missing, outOfRange, refused } from "./Answer.ts"
import * as Parameters from "./Parameters.ts"
import * as RawQuery from "./RawQuery.ts"

export interface Incoming {
  readonly method: string
  readonly rawQuery: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const keyPattern = /^[A-Za-z0-9_-]{1,128}$/

/** Finds the key that the header names. */
export const known = (
  conventions: Conventions.Conventions,
  credentials: { readonly get: (apiKey: string) => Credential | undefined },
  request: Incoming
): Checked<Credential> => {
  const key = request.headers[conventions.apiKeyHeader.toLowerCase()]
  if (key === undefined || key === "") {
    return refused(401, `The API key is missing: send it in ${conventions.apiKeyHeader}.`, 401)
  }
  if (!keyPattern.test(key)) return refused(700001, "API-key format invalid.", 401)
  const credential = credentials.get(key)
  return credential === undefined ? refused(10072, "Api key info invalid.", 401) : Result.succeed(credential)
}

const expected = (secret: string, payload: string): string =>
  createHmac("sha256", secret).update(payload, "utf8").digest("hex")

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a, "utf8"), Buffer.from(b, "utf8")]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Checks the signature: lowercase hex over the query in front of it, and over the body where conventions say so. */
export const signed = (
  conventions: Conventions.Conventions,
  credential: Credential,
  request: Incoming
): Checked<void> =>
  Result.flatMap(RawQuery.signed(request.rawQuery), ({ payload, signature }) => {
    const text = request.method === "POST" && conventions.signedPayload === "query+body"
      ? payload + request.body
      : payload
    return same(signature, expected(Redacted.value(credential.secretKey), text))
      ? Result.succeed(undefined)
      : refused(700002, "Signature for this request is not valid.")
  })

/** A client's clock may run ahead by less than this many ms. */
const AHEAD = 1000

/** Checks the receive window: `timestamp < now + 1000` and `now - timestamp <= recvWindow`. */
export const fresh = (
  conventions: Conventions.Conventions,
  parameters: Parameters.Parameters,
  now: number
): Checked<void> =>
  Result.gen(function*() {
    const anything = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
    const timestamp = yield* Parameters.integer(parameters, "timestamp", anything)
    if (timestamp === undefined) return yield* missing("timestamp")
    const recvWindow = (yield* Parameters.integer(parameters, "recvWindow", anything)) ?? conventions.recvWindow
    if (recvWindow > conventions.recvWindowLimit) {
      return yield* refused(700005, `recvWindow must be no more than ${conventions.recvWindowLimit}.`)
    }
    if (recvWindow < 1) return yield* outOfRange("recvWindow", "at least 1")
    return yield* timestamp >= now + AHEAD || now - timestamp > recvWindow
      ? refused(700003, "Timestamp for this request is outside of the recvWindow.")
      : Result.succeed(undefined)
  })

/** Checks that the key has a permission. */
export const permitted = (credential: Credential, permission: string): Checked<void> =>
  credential.permissions.includes(permission)
    ? Result.succeed(undefined)
    : refused(700007, `No permission to access the endpoint: ${permission} is needed.`, 403)
