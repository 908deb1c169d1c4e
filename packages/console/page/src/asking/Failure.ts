/** Why something that was asked of the console came to nothing. */
import * as HttpClientError from "effect/http/HttpClientError"

export type Failure =
  /** The console does not answer: it ended, or nothing leads to it. */
  | { readonly _tag: "Gone" }
  /** The session is over. */
  | { readonly _tag: "Over" }
  /** The console refuses, or fails, and says why. */
  | { readonly _tag: "Refused"; readonly message: string }

export interface Told {
  readonly _tag: string
  readonly message?: string
}

/** A proxy answers so in place of a console that is gone. */
const OF_PROXIES = new Set([502, 503, 504])

const MISUNDERSTOOD =
  "The console answered something that this page does not understand. Reload the page: it may be older than the console."

const isGone = ({ reason, response }: HttpClientError.HttpClientError): boolean =>
  reason._tag === "TransportError" || (response !== undefined && OF_PROXIES.has(response.status))

export const of = (error: Told): Failure => {
  if (error._tag === "Unauthenticated") return { _tag: "Over" }
  if (HttpClientError.isHttpClientError(error)) {
    return isGone(error) ? { _tag: "Gone" } : { _tag: "Refused", message: MISUNDERSTOOD }
  }
  return { _tag: "Refused", message: error._tag === "SchemaError" ? MISUNDERSTOOD : error.message ?? MISUNDERSTOOD }
}

const SAID = {
  Gone: "The console does not answer. What you see may be old; this page asks again until it answers.",
  Over: "Your session is over. Sign in again."
} as const

/** Says it in words. */
export const words = (failure: Failure): string => failure._tag === "Refused" ? failure.message : SAID[failure._tag]
