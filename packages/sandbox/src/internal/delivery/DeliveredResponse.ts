/**
 * Gives an answer of the exchange to an `HttpClient` in the same process. The body is a stream of Effect's own, and no promise
 * lies between, so the `Clock` alone decides when a client reads which bytes.
 */
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import { type Pipeable, pipeArguments } from "effect/Pipeable"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { plain } from "../../Delivery.ts"
import * as BodyStream from "./BodyStream.ts"
import type { Delivered } from "./FaultInjection.ts"

/** Makes a socket's error for a connection that the other side reset. */
const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" })

class DeliveredResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse, Pipeable {
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: typeof HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly status: number
  readonly headers: Headers.Headers
  readonly cookies = Cookies.empty
  readonly remoteAddress = Option.none()
  readonly stream: Stream.Stream<Uint8Array, HttpClientError.HttpClientError>
  readonly arrayBuffer: Effect.Effect<ArrayBuffer, HttpClientError.HttpClientError>

  constructor(request: HttpClientRequest.HttpClientRequest, answer: Delivered) {
    super()
    const { manner } = answer.delivery ?? plain
    this.request = request
    this.status = answer.status
    this.headers = Headers.fromInput(answer.headers)
    const bytes = BodyStream.make(answer.body, manner)
    this.stream = manner._tag === "Part" ? Stream.concat(bytes, Stream.fail(this.broken(reset()))) : bytes
    this.arrayBuffer = Stream.mkUint8Array(this.stream).pipe(
      Effect.map((body) => body.buffer),
      Effect.cached,
      Effect.runSync
    )
  }

  private broken(cause: unknown): HttpClientError.HttpClientError {
    return new HttpClientError.HttpClientError({
      reason: new HttpClientError.DecodeError({ request: this.request, response: this, cause })
    })
  }

  get url(): string {
    return Option.match(HttpClientRequest.toUrl(this.request), { onNone: () => "", onSome: ({ href }) => href })
  }

  get text(): Effect.Effect<string, HttpClientError.HttpClientError> {
    return Effect.map(this.arrayBuffer, (body) => new TextDecoder().decode(body))
  }

  get json(): Effect.Effect<Schema.Json, HttpClientError.HttpClientError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        try: (): Schema.Json => text === "" ? null : JSON.parse(text),
        catch: (cause) => this.broken(cause)
      }))
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpClientError.HttpClientError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get formData(): Effect.Effect<FormData, HttpClientError.HttpClientError> {
    return Effect.flatMap(this.arrayBuffer, (body) =>
      Effect.tryPromise({
        try: () => new Response(body, { headers: this.headers }).formData(),
        catch: (cause) => this.broken(cause)
      }))
  }

  get upgrade(): HttpClientResponse.HttpClientResponse["upgrade"] {
    return Effect.fail(
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.StatusCodeError({
          request: this.request,
          response: this,
          description: "the sandbox upgrades nothing"
        })
      })
    )
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  pipe() {
    return pipeArguments(this, arguments)
  }
}

/** Waits as long as the answer takes. It fails as a client's socket does where no byte of the answer goes out. */
export const make = (
  request: HttpClientRequest.HttpClientRequest,
  answer: Delivered
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> => {
  const { delay, manner } = answer.delivery ?? plain
  const arrived = manner._tag === "Nothing"
    ? Effect.fail(
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.TransportError({ request, cause: reset() })
      })
    )
    : Effect.sync(() => new DeliveredResponse(request, answer))
  return delay === 0 ? arrived : Effect.delay(arrived, delay)
}
