/** Signed requests through any `HttpClient`, and what a client sees of the answers. */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Stream from "effect/Stream"
import * as Client from "../client.ts"

/** Deposits that all are younger than `now`. */
export const deposits = (now: number): ReadonlyArray<SubAccountDeposit> =>
  Array.from({ length: 20 }, (_, i) => Client.deposit(`d${i}`, now - 1000 + i))

export const newKey = JSON.stringify({ subAccount: "sub00001", permissions: "SPOT_ACCOUNT_READ", note: "n" })

const target = Effect.fnUntraced(function*(path: string, query: Client.Query = {}) {
  const timestamp = Math.floor(yield* Clock.currentTimeMillis)
  return `${path}?${Client.sign(Client.render({ ...query, timestamp, recvWindow: 60_000 }))}`
})

const headers = { "x-mexc-apikey": Client.API_KEY }

export const list = (baseUrl: string, path = Client.DEPOSITS) =>
  Effect.map(target(path), (target) => HttpClientRequest.get(baseUrl + target, { headers }))

export const create = (baseUrl: string) =>
  Effect.map(
    target(Client.KEYS),
    (target) =>
      HttpClientRequest.post(baseUrl + target, { headers }).pipe(HttpClientRequest.bodyText(newKey, "application/json"))
  )

/** The first code in a chain of causes. */
export const codeOf = (cause: unknown): unknown => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("code" in cause) return cause.code
  return "cause" in cause ? codeOf(cause.cause) : undefined
}

/** What came, as far as it came: status, type and text, and the error that ended it. */
export interface Received {
  readonly status?: number
  readonly type?: string
  readonly location?: string
  readonly retryAfter?: string
  readonly text: string
  /** Where it broke, and the socket's own code. */
  readonly broken?: { readonly in: "request" | "body"; readonly code: unknown }
}

const failed = (where: "request" | "body") => ({ reason }: HttpClientError.HttpClientError) => ({
  in: where,
  code: codeOf(reason)
})

/** Reads an answer of at most `most` bytes. */
export const receive = Effect.fnUntraced(function*(
  request: HttpClientRequest.HttpClientRequest,
  most = 1_000_000
): Effect.fn.Return<Received, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const arrived = yield* Effect.result(client.execute(request))
  if (arrived._tag === "Failure") return { text: "", broken: failed("request")(arrived.failure) }
  const { headers, status, stream } = arrived.success
  const decoder = new TextDecoder()
  let text = ""
  const read = yield* stream.pipe(
    Stream.takeWhile(() => text.length < most),
    Stream.runForEach((bytes) => Effect.sync(() => void (text += decoder.decode(bytes, { stream: true })))),
    Effect.result
  )
  return {
    status,
    text: text.slice(0, most),
    ...(headers["content-type"] === undefined ? {} : { type: headers["content-type"] }),
    ...(headers["location"] === undefined ? {} : { location: headers["location"] }),
    ...(headers["retry-after"] === undefined ? {} : { retryAfter: headers["retry-after"] }),
    ...(read._tag === "Failure" && read.failure.reason._tag !== "EmptyBodyError"
      ? { broken: failed("body")(read.failure) }
      : {})
  }
})
