/**
 * Serves the exchange on a real socket: HTTP on 127.0.0.1 and nowhere else.
 *
 * The raw query and the raw header values go to the exchange untouched. A request whose `Host` is not this server on a loopback
 * name is refused, so that no web page can reach it through a name of its own (DNS rebinding). Beside the exchange stand
 * `/sandbox/faults`, where its faults are read and changed while it runs, and `/sandbox/docs` and `/openapi.json`, which describe
 * its answers.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { createServer } from "node:http"
import type * as Exchange from "./Exchange.ts"
import * as SocketDelivery from "./internal/delivery/SocketDelivery.ts"
import * as Paths from "./internal/docs/Paths.ts"
import * as FaultsEndpoint from "./internal/endpoints/FaultsEndpoint.ts"
import * as OwnPages from "./internal/endpoints/OwnPages.ts"
import { type Answer, refuse } from "./internal/exchange/Answer.ts"

/** These options say where the server listens. */
export interface Options {
  /** 0, or absent: any free port. */
  readonly port?: number
}

const LOOPBACK = "127.0.0.1"

const loopbackNames = new Set([LOOPBACK, "localhost", "[::1]"])

/** The largest body that a request may have; the service's own are under 2 kB. */
const MAX_BODY = ByteSize.mebibytes(1)

/** Whether `Host` names this server: a loopback name, and the port if it gives one. */
const isOwnHost = (host: string | undefined, port: number): boolean => {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host?.toLowerCase() ?? "")
  if (match === null) return false
  const [, name = "", given = "80"] = match
  return loopbackNames.has(name) && Number(given) === port
}

const respond = (answer: Answer) =>
  HttpServerResponse.text(answer.body, { status: answer.status, headers: answer.headers })

const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  request.method === "GET" || request.method === "HEAD" ? Effect.succeed("") : request.text

/** Returns the URL at which the faults of a server are read and changed. */
export const faultsUrl = (baseUrl: string): string => baseUrl + FaultsEndpoint.PATH

/** Returns the URL of the page that describes a server's answers. */
export const docsUrl = (baseUrl: string): string => baseUrl + Paths.PAGE

/**
 * Loads the description of the server late, because a test that starts a server does not need it. The file
 * may be gone by then.
 */
const docs = Effect.option(Effect.tryPromise(() => import("./internal/endpoints/DocsEndpoint.ts")))

const GONE =
  "What tells about the sandbox cannot be loaded: it was upgraded or removed while this one runs. Start it again."

const tell = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, path: string, port: number) {
  if (!OwnPages.asks(request, port)) {
    return respond(refuse(403, 403, "Only this server's own pages and programs may ask."))
  }
  if (request.method !== "GET") return respond(refuse(405, 405, "GET is wanted.", { allow: "GET" }))
  const gone = HttpServerResponse.text(`${GONE}\n`, { status: 503 })
  const loaded = yield* docs
  if (Option.isNone(loaded)) return gone
  const { openApi, page } = loaded.value
  // Swagger UI is loaded even later.
  return path === Paths.PAGE ? yield* Effect.catchDefect(page, () => Effect.succeed(gone)) : openApi
})

const app = (exchange: Exchange.Exchange["Service"], port: number) => {
  const delivery = SocketDelivery.make()
  return HttpServerRequest.HttpServerRequest.use(Effect.fnUntraced(function*(request) {
    yield* delivery.resetIfDoomed(request)
    const target = NodeHttpServerRequest.toIncomingMessage(request).url ?? ""
    if (!target.startsWith("/") || !isOwnHost(request.headers["host"], port)) {
      return respond(refuse(403, 403, "Only requests to this server by a loopback name are answered."))
    }
    const body = yield* Effect.result(bodyOf(request))
    if (body._tag === "Failure") return respond(refuse(413, 413, "The body cannot be read or is too large."))
    const mark = target.indexOf("?")
    const incoming = {
      method: request.method,
      path: mark < 0 ? target : target.slice(0, mark),
      rawQuery: mark < 0 ? "" : target.slice(mark + 1),
      headers: request.headers,
      body: body.success
    }
    if (incoming.path === FaultsEndpoint.PATH) return respond(yield* FaultsEndpoint.answer(exchange, incoming, port))
    if (incoming.path === Paths.PAGE || incoming.path === Paths.OPEN_API) {
      return yield* tell(request, incoming.path, port)
    }
    return yield* delivery.deliver(request, yield* exchange.handle(incoming))
  }))
}

/**
 * Serves the exchange until the scope closes, and says where: `http://127.0.0.1:PORT`. Fails with `ServeError` when the
 * port is taken.
 */
export const serve = Effect.fnUntraced(function*(exchange: Exchange.Exchange["Service"], options: Options = {}) {
  const server = yield* NodeHttpServer.make(() => createServer(), {
    host: LOOPBACK,
    port: options.port ?? 0,
    gracefulShutdownTimeout: "1 second"
  })
  const { address } = server
  if (address._tag === "UnixPathAddress") return yield* Effect.die("A loopback server has no path address")
  yield* server.serve(app(exchange, address.port)).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, MAX_BODY),
    Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true),
    Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, /apikey/i])
  )
  return `http://${LOOPBACK}:${address.port}`
})
