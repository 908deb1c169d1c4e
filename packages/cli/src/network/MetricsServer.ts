/**
 * Serves metrics at `/metrics`, beside something that must go on whatever a client does. It answers GET and HEAD, reads no body, keeps few
 * connections, and gives up on those that stand still. On a loopback address a request must name one, so that no web page can reach it
 * through a name of its own (DNS rebinding).
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schedule from "effect/Schedule"
import { createServer } from "node:http"
import { isIPv4, isIPv6 } from "node:net"
import * as Stderr from "../terminal/Stderr.ts"
import type { ListenPlace } from "./ListenPlace.ts"

const PATH = "/metrics"

const isLoopback = (host: string): boolean =>
  host === "localhost" || (isIPv4(host) && host.startsWith("127.")) || (isIPv6(host) && host === "::1")

/** Takes the port off the header `Host`. */
const nameIn = (header: string | undefined): string =>
  (header ?? "").toLowerCase().replace(/:\d+$/, "").replace(/^\[|\]$/g, "")

/** Milliseconds, bytes and numbers that a scrape never comes near. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 8192
}
const IDLE = 30_000
const CONNECTIONS = 32

/** A connection that cannot be accepted, or breaks, is its client's trouble. */
const bounded = () => {
  const server = createServer(LIMITS)
  server.maxConnections = CONNECTIONS
  server.setTimeout(IDLE)
  return server.on("error", () => undefined)
}

const plain = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(`${text}\n`, { status, headers: { connection: "close", ...headers } })

/** `text` gives the metrics, of this type. */
export interface Content {
  readonly text: Effect.Effect<string>
  readonly contentType: string
}

const app = ({ host }: ListenPlace, { contentType, text }: Content) =>
  HttpServerRequest.HttpServerRequest.use((request) => {
    if (isLoopback(host) && !isLoopback(nameIn(request.headers["host"]))) {
      return Effect.succeed(plain(403, "Only requests to a loopback name are answered."))
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return Effect.succeed(plain(405, "GET is wanted.", { allow: "GET, HEAD" }))
    }
    return /^\/metrics(?:\?|$)/.test(request.url)
      ? Effect.map(
        text,
        (body) => HttpServerResponse.text(body, { contentType, headers: { "cache-control": "no-store" } })
      )
      : Effect.succeed(plain(404, `Metrics are at ${PATH}.`))
  })

const urlOf = (host: string, port: number): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}${PATH}`

const listen = Effect.fnUntraced(function*(place: ListenPlace, content: Content) {
  const server = yield* NodeHttpServer.make(bounded, { ...place, gracefulShutdownTimeout: "1 second" })
  yield* Effect.provideService(server.serve(app(place, content)), HttpMiddleware.TracerDisabledWhen, () => true)
  const { address } = server
  return urlOf(place.host, address._tag === "UnixPathAddress" ? place.port : address.port)
})

/** `EADDRINUSE`, `EACCES`, `ENOTFOUND`, … */
const reasonOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : "it failed"

/**
 * Serves in the background until the scope closes. Where the address cannot be had, it says so once, and tries again every minute: another
 * process may let go of it, and the caller has more to do than to be watched.
 */
export const serve = Effect.fnUntraced(function*(place: ListenPlace, content: Content) {
  let isTold = false
  const served = Effect.gen(function*() {
    yield* Stderr.say(`metrics at ${yield* listen(place, content)}`)
    return yield* Effect.never
  })
  yield* Effect.scoped(served).pipe(
    Effect.tapError(Effect.fnUntraced(function*({ cause }) {
      if (isTold) return
      isTold = true
      yield* Stderr.complain(
        `no metrics: ${urlOf(place.host, place.port)} cannot be served (${reasonOf(cause)}); tried again every minute`
      )
    })),
    Effect.retry(Schedule.spaced("1 minute")),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause) ? Effect.interrupt : Stderr.complain("no metrics: an internal error")
    ),
    Effect.forkScoped
  )
})
