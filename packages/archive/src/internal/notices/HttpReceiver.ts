/** Notices are posted to an address. The receiver may be down, slow or hostile: each post takes a bounded time and little memory. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import * as NoticeError from "../../NoticeError.ts"
import * as FailureCode from "./FailureCode.ts"
import type { Receiver } from "./Port.ts"

export interface UrlOptions {
  /** An https address, or an http one of this machine; without a user name and password. */
  readonly url: string
  /** It is sent as `Authorization: Bearer …`, to this address alone: no redirect is followed. Printable ASCII without spaces. */
  readonly token?: Redacted.Redacted
  /** Default: false. */
  readonly details?: boolean
}

/** A receiver has so long to begin its answer. */
const ANSWER = Duration.seconds(20)

/** The rest of the answer has so long to come: nothing depends on it. */
const REST = Duration.seconds(1)

/** At most so many bytes of an answer are read, so that a connection can be used again after a short one. */
const CAP = 16_384

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const TOKEN = /^[\x21-\x7e]+$/

/** Gives the address, or says why nothing can be sent there. */
export const check = (text: string): Result.Result<URL, string> => {
  const url = URL.parse(text)
  if (url === null) return Result.fail("is not an absolute address, such as https://notices.example.com/tallystick")
  if (url.username !== "" || url.password !== "") {
    return Result.fail("must not contain a user name or password; a token of its own goes with each request")
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))) return Result.succeed(url)
  return Result.fail("must be https; plain http is for this machine alone (127.0.0.1, localhost)")
}

/** Only the transport's own code is told: its messages may tell the address. */
const detailOf = ({ reason }: HttpClientError.HttpClientError): string =>
  `the connection failed (${FailureCode.find(reason) ?? reason._tag})`

/** These answers among 4xx are about the receiver: it waited too long for the request, or too many came. */
const OVERLOADED = new Set([408, 429])

/** Whether an answer that is no 2xx refuses this notice; else no other one would be taken either. */
const refusesOne = (status: number): boolean => status >= 400 && status < 500 && !OVERLOADED.has(status)

/** Says why an answer means that the notice did not arrive. */
const refusal = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400
    ? `it answered with a redirect (HTTP ${status}), which is not followed`
    : `it answered HTTP ${status}`
}

const drained = ({ stream }: HttpClientResponse.HttpClientResponse) => {
  let length = 0
  return stream.pipe(
    Stream.takeWhile((chunk) => (length += chunk.length) < CAP),
    Stream.runDrain,
    Effect.timeoutOption(REST),
    Effect.ignore
  )
}

export const make = Effect.fnUntraced(function*(
  { details = false, token, url: text }: UrlOptions
): Effect.fn.Return<Receiver, NoticeError.NoticeError, HttpClient.HttpClient> {
  const invalid = (of: "token" | "url", problem: string) =>
    new NoticeError.NoticeError({ reason: new NoticeError.InvalidReceiver({ of, problem }) })
  const url = yield* Effect.mapError(Effect.fromResult(check(text)), (problem) => invalid("url", problem))
  if (token !== undefined && !TOKEN.test(Redacted.value(token))) {
    return yield* invalid("token", "is not printable ASCII without spaces")
  }
  const client = HttpClient.withScope(yield* HttpClient.HttpClient)
  const place = url.origin
  const undelivered = (detail: string, of: NoticeError.Undelivered["of"] = "receiver") =>
    new NoticeError.NoticeError({ reason: new NoticeError.Undelivered({ place, of, detail }) })

  const send = Effect.fnUntraced(
    function*(notice: string) {
      const request = HttpClientRequest.post(url.href).pipe(
        HttpClientRequest.bodyText(notice, "application/json"),
        token === undefined ? (request) => request : HttpClientRequest.bearerToken(token)
      )
      const response = yield* client.execute(request).pipe(
        Effect.mapError((error) => undelivered(detailOf(error))),
        Effect.timeoutOrElse({
          duration: ANSWER,
          orElse: () => Effect.fail(undelivered(`no answer within ${Duration.format(ANSWER)}`))
        })
      )
      const refused = refusal(response.status)
      if (refused !== undefined) {
        return yield* undelivered(refused, refusesOne(response.status) ? "notice" : "receiver")
      }
      return yield* drained(response)
    },
    Effect.scoped,
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" } as const),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, "authorization"])
  )
  const id = createHash("sha256").update(`url ${url.href}`).digest("hex")
  return { id, place, hasDetails: details, send }
})
