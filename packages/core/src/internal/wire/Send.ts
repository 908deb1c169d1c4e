/**
 * Sends one request as it stands, once, and reads the whole answer. It makes no retry, follows no redirect and adds no trace
 * headers.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Answer } from "./Answer.ts"
import * as TransportFailure from "./TransportFailure.ts"

/** The request got no answer. `sent` is false only where the request certainly never reached anyone. */
export class SendFailed
  extends Schema.TaggedError<SendFailed>("@tallystick/core/internal/wire/Send/SendFailed")("SendFailed", {
    sent: Schema.Boolean,
    detail: Schema.String,
    /** The transport's own code for the failure, where it has one. */
    code: Schema.optionalKey(Schema.String),
    /** The transport's own message, without secrets. */
    cause: Schema.optionalKey(Schema.String)
  })
{}

/** The answer is longer than allowed. */
export class BodyTooLong
  extends Schema.TaggedError<BodyTooLong>("@tallystick/core/internal/wire/Send/BodyTooLong")("BodyTooLong", {
    status: Schema.Int,
    limit: Schema.Int
  })
{}

/** The answer is not UTF-8 text. */
export class NotText
  extends Schema.TaggedError<NotText>("@tallystick/core/internal/wire/Send/NotText")("NotText", { status: Schema.Int })
{}

const sendFailed = ({ reason }: HttpClientError.HttpClientError, hide: (text: string) => string): SendFailed => {
  const found = TransportFailure.coded(reason)
  // The reason's own message tells the address with its query; its cause holds the other facts.
  const cause = hide(TransportFailure.words(reason.cause ?? reason.description))
  return new SendFailed({
    sent: found?.neverConnected !== true,
    detail: `the connection failed (${found?.code ?? reason._tag})`,
    ...(found === undefined ? {} : { code: found.code }),
    ...(cause === "" ? {} : { cause })
  })
}

/**
 * Whether the transport itself keeps the body within the limit: its length is declared, and no decompression makes it longer.
 * Such a body can be read at once, which saves the cost of a stream of chunks.
 */
const isBounded = ({ headers }: HttpClientResponse.HttpClientResponse, limit: number): boolean => {
  const declared = headers["content-length"] ?? ""
  return /^\d+$/.test(declared) && Number(declared) <= limit && headers["content-encoding"] === undefined &&
    headers["transfer-encoding"] === undefined
}

const readAtOnce = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.arrayBuffer, (buffer) => new Uint8Array(buffer))

/** Counts the bytes while the body arrives, and stops at the limit. */
const readCounting = (response: HttpClientResponse.HttpClientResponse, limit: number) =>
  response.stream.pipe(
    Stream.catch((error) => error.reason._tag === "EmptyBodyError" ? Stream.empty : Stream.fail(error)),
    Stream.runFoldEffect(
      () => ({ chunks: [] as Array<Uint8Array>, length: 0 }),
      (body, chunk) => {
        body.chunks.push(chunk)
        body.length += chunk.length
        return body.length > limit
          ? Effect.fail(new BodyTooLong({ status: response.status, limit }))
          : Effect.succeed(body)
      }
    ),
    Effect.map(({ chunks, length }) => concat(chunks, length))
  )

const readText = (response: HttpClientResponse.HttpClientResponse, limit: number) =>
  Effect.flatMap(
    isBounded(response, limit) ? readAtOnce(response) : readCounting(response, limit),
    (bytes): Effect.Effect<string, BodyTooLong | NotText> =>
      // A transport that is not HTTP may declare one length and deliver another.
      bytes.length > limit ? Effect.fail(new BodyTooLong({ status: response.status, limit })) : Effect.try({
        try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
        catch: () => new NotText({ status: response.status })
      })
  )

const concat = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

const manualRedirects: RequestInit = { redirect: "manual" }

/** Whether the status alone says what the answer means. A ban or a 5xx must not get lost with a body that cannot be read. */
const speaksForItself = (status: number): boolean =>
  status === 418 || status === 429 || status >= 500 || (status >= 300 && status < 400)

/**
 * Makes a sender. `timeout` covers sending, waiting and reading; `limit` is the longest body in bytes, decompressed; `hide` takes
 * secrets out of the transport's messages. A client that prints or traces a request on its way shows neither the key in
 * `keyHeader` nor the signature.
 */
export const make = (client: HttpClient.HttpClient, keyHeader: string, timeout: Duration.Duration, limit: number) =>
(
  request: HttpClientRequest.HttpClientRequest,
  hide: (text: string) => string
): Effect.Effect<Answer, SendFailed | BodyTooLong | NotText> =>
  Effect.suspend(() => {
    let head: Answer | undefined
    return client.execute(request).pipe(
      Effect.flatMap((response) => {
        head = {
          status: response.status,
          contentType: response.headers["content-type"] ?? "",
          retryAfter: response.headers["retry-after"],
          date: response.headers["date"],
          text: ""
        }
        const answer = head
        return Effect.map(readText(response, limit), (text) => ({ ...answer, text }))
      }),
      Effect.catchTag("HttpClientError", (error) => Effect.fail(sendFailed(error, hide))),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(new SendFailed({ sent: true, detail: `no answer within ${Duration.format(timeout)}` }))
      }),
      Effect.catch((error) =>
        head !== undefined && speaksForItself(head.status) ? Effect.succeed(head) : Effect.fail(error)
      )
    )
  }).pipe(
    Effect.provideService(FetchHttpClient.RequestInit, manualRedirects),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, keyHeader]),
    Effect.updateService(UrlParams.CurrentRedactedNames, (names) => [...names, "signature"])
  )
