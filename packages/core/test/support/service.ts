/** A service behind the HttpClient port, and a broker that talks to it. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"

export const API_KEY = "mx0RECOGNISABLEKEY42"
export const SECRET = "recognisable-secret-0123456789abcdef"

export const options: BrokerConfig.Options = {
  baseUrl: "https://api.example.test/prefix/",
  apiKey: Redacted.make(API_KEY),
  secretKey: Redacted.make(SECRET)
}

/** A request as the service saw it. */
export interface Seen {
  readonly at: number
  readonly method: string
  readonly url: URL
  readonly request: HttpClientRequest.HttpClientRequest
}

export type Reply = Effect.Effect<Response, HttpClientError.HttpClientError>
/** Answers the `n`th request (from 0) of the operations; the time endpoint is answered beside it. */
export type Handler = (seen: Seen, n: number) => Response | Reply

export interface Service {
  /** Requests of the operations, without those for the time. */
  readonly seen: Array<Seen>
  readonly timeRequests: Array<Seen>
  readonly client: HttpClient.HttpClient
}

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(value, { status, headers })

/** `{"code", "msg"}` with an HTTP status. */
export const refusal = (code: number | string, status = 400, headers: Record<string, string> = {}): Response =>
  json({ code, msg: `said ${code}` }, status, headers)

/** What failed under these codes, when Node says them before there is a connection. */
const beforeConnection: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect",
  EHOSTUNREACH: "connect",
  ENOTFOUND: "getaddrinfo",
  EAI_AGAIN: "getaddrinfo"
}

/** A failure as fetch tells it: the code and what failed stand in the cause. */
export const transportError = (
  request: HttpClientRequest.HttpClientRequest,
  code?: string,
  syscall: string | undefined = beforeConnection[code ?? ""]
) => transportFailure(request, code === undefined ? undefined : { code, ...(syscall === undefined ? {} : { syscall }) })

export const transportFailure = (request: HttpClientRequest.HttpClientRequest, cause?: unknown) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({
      request,
      cause: Object.assign(new Error(`failed for ${request.url}`), cause === undefined ? {} : { cause })
    })
  })

/** The service's own clock runs `ahead` ms before ours. */
const serviceTime = (ahead: number): Reply =>
  Effect.map(Clock.currentTimeMillis, (now) => json({ serverTime: now + ahead }))

export const make = (handler: Handler, time: Reply = serviceTime(0)): Service => {
  const seen: Array<Seen> = []
  const timeRequests: Array<Seen> = []
  const client = HttpClient.make((request, url) =>
    Effect.gen(function*() {
      const one: Seen = { at: yield* Clock.currentTimeMillis, method: request.method, url, request }
      const isTime = url.pathname.endsWith("/api/v3/time")
      const reply = isTime ? time : handler(one, seen.length)
      ;(isTime ? timeRequests : seen).push(one)
      return HttpClientResponse.fromWeb(request, Effect.isEffect(reply) ? yield* reply : reply)
    })
  )
  return { seen, timeRequests, client }
}

export const timeAhead = serviceTime

/** Signs without WebCrypto, so that every step under the TestClock is synchronous. */
const plain: Signer.Signer["Service"] = { sign: (payload) => Effect.succeed(`signed-${payload.length}`) }

/** A broker with a signer of its own. */
export const brokerLayer = (options: BrokerConfig.Options, { client }: Service, signer: Signer.Signer["Service"]) =>
  Broker.Broker.layerNoDeps(options).pipe(
    Layer.provide([
      Layer.succeed(Signer.Signer, signer),
      RateLimit.RateLimit.layer(options),
      Layer.succeed(HttpClient.HttpClient, client)
    ])
  )

/** A broker over a service in memory. The rate is out of the way unless `changes` say otherwise. */
export const broker = (service: Service, changes: Partial<BrokerConfig.Options> = {}, signer = plain) =>
  Broker.Broker.pipe(
    Effect.provide(
      brokerLayer({ ...options, rate: { requests: 100_000, window: Duration.millis(1) }, ...changes }, service, signer)
    )
  )

/** Advances virtual time in small steps until the effect ends, while real work (sockets, WebCrypto) goes on. */
export const withAdvancingClock = <A, E, R>(effect: Effect.Effect<A, E, R>, step: Duration.Input = "1 minute") =>
  Effect.raceFirst(
    effect,
    TestClock.withLive(Effect.sleep("1 millis")).pipe(
      Effect.andThen(TestClock.adjust(step)),
      Effect.forever
    )
  )
