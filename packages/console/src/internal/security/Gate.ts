/**
 * The gate stands before everything else. It lets a request through that its own page or a program sends to the console by one of its own
 * names, with a body that is small and comes soon, and it puts the headers on every answer.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ConsoleApi } from "../../ConsoleApi.ts"
import * as Access from "../api/Access.ts"
import * as Headers from "./Headers.ts"
import type { Place } from "./Place.ts"
import type * as Sessions from "./Sessions.ts"
import * as SignedIn from "./SignedIn.ts"

/** The largest body, bytes: a thousand decisions at once have half of it. */
export const MOST_BYTES = 1_000_000

/** The largest body of somebody who is not signed in yet, bytes: a login has less. */
const FEW_BYTES = 4096

/** A body must have come after so long. */
const BODY: Parameters<typeof Effect.timeoutOption>[1] = "20 seconds"

const BODIED = new Set(["POST", "PUT", "PATCH"])

type Request = HttpServerRequest.HttpServerRequest

/** An endpoint to which requests with bodies come. */
interface Endpoint {
  readonly method: string
  readonly path: RegExp
  /** Only somebody who is signed in may ask it. */
  readonly isSignedIn: boolean
}

export interface Guarded {
  readonly place: Place
  /** Tells whether the console ends: its sessions are over then, which is no reason to sign in again. */
  readonly isEnding: () => boolean
  readonly sessions: Sessions.Service
}

/** A request with a body comes to one of these, or to nothing. */
const endpoints: ReadonlyArray<Endpoint> = Object.values(ConsoleApi.groups).flatMap((group) =>
  Object.values(group.endpoints).filter(({ method }) => BODIED.has(method)).map((endpoint) => ({
    method: endpoint.method,
    path: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`),
    isSignedIn: endpoint.middlewares.has(Access.SignedIn)
  }))
)

const refuse = (status: number, message: string, _tag = "Refused") => {
  const response = HttpServerResponse.text(JSON.stringify({ _tag, message }), {
    status,
    contentType: "application/json"
  })
  // The rest of a body that nobody wants is not read.
  return HttpServerResponse.setHeaders(response, { ...Headers.all, connection: "close" })
}

const pathOf = ({ url }: Request): string => url.split("?", 1)[0] ?? ""

/** Pages to which a link from elsewhere may lead: they hold nothing of the books. No other spelling counts, of which the routes know many. */
const LINKED = new Set(["/", "/docs", "/openapi.json"])

/** Whether a browser asks for a page because somebody followed a link to it. */
const isFollowedLink = (request: Request): boolean =>
  request.method === "GET" && request.headers["sec-fetch-mode"] === "navigate" &&
  request.headers["sec-fetch-dest"] === "document" && LINKED.has(pathOf(request))

const isFromElsewhere = (request: Request, { origins }: Place): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (origin !== undefined && !origins.has(origin)) return true
  return site !== undefined && site !== "same-origin" && site !== "none" && !isFollowedLink(request)
}

/** Gives the answer to a request that may not pass; nothing to one that may. */
const stopped = (request: Request, place: Place): HttpServerResponse.HttpServerResponse | undefined => {
  const target = NodeHttpServerRequest.toIncomingMessage(request).url ?? ""
  if (!target.startsWith("/") || !place.hosts.has(request.headers["host"]?.toLowerCase() ?? "")) {
    return refuse(403, "Only requests to the console by its own name are answered.")
  }
  if (isFromElsewhere(request, place)) return refuse(403, "Only the console's own page and programs may ask.")
  // It could come in as many pieces as it has bytes, and each takes a hundred times its room.
  if ("transfer-encoding" in request.headers) return refuse(411, "A body tells its length: Content-Length.")
  return undefined
}

const tooLarge = (most: number) => refuse(413, `This body has ${most} bytes at most, and comes to its end.`)

const isJson = ({ headers }: Request): boolean =>
  /^application\/json *(;|$)/i.test(headers["content-type"] ?? "application/json")

/**
 * Reads the body, which is kept for the handler; gives the answer to one that is too large or too slow. Reading goes on until that answer
 * is sent: to break it off closes the connection.
 */
const read = (request: Request, most: number) =>
  Effect.forkScoped(request.text).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(most)),
    Effect.flatMap((reading) => Effect.timeoutOption(Fiber.join(reading), BODY)),
    Effect.match({
      onFailure: () => tooLarge(most),
      onSuccess: (text) => Option.isSome(text) ? undefined : refuse(408, "The body did not come in time.")
    })
  )

/** Takes the body of a request that somebody may send; gives the answer to one that is not even read. */
const taken = Effect.fnUntraced(function*(request: Request, { sessions }: Guarded) {
  const path = pathOf(request)
  const endpoint = endpoints.find((one) => one.method === request.method && one.path.test(path))
  if (endpoint === undefined) return refuse(404, "There is nothing at this address.")
  if (!isJson(request)) return refuse(415, "A body is JSON: its content type is application/json.")
  const length = Number(request.headers["content-length"] ?? 0)
  // The endpoint finds the session of a small body by itself; a large body is not read before there is a session.
  if (endpoint.isSignedIn && length > FEW_BYTES) {
    const session = yield* Effect.result(SignedIn.sessionOf(request, sessions))
    if (Result.isFailure(session)) {
      const { _tag, message } = session.failure
      return refuse(_tag === "Unauthenticated" ? 401 : 503, message, _tag)
    }
  }
  const most = endpoint.isSignedIn ? MOST_BYTES : FEW_BYTES
  return length > most ? tooLarge(most) : yield* read(request, most)
})

/** The address from which a request comes; behind a proxy the one that the proxy saw. */
export const addressOf = (request: Request, { isBehindProxy }: Place): string => {
  const passedOn = isBehindProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return passedOn ?? Option.getOrElse(request.remoteAddress, () => "")
}

const answerOf = (cause: Cause.Cause<unknown>) => {
  const error = Cause.findErrorOption(cause)
  return Option.isSome(error) && HttpServerError.isHttpServerError(error.value) &&
      error.value.reason._tag === "RouteNotFound"
    ? Effect.succeed(refuse(404, "There is nothing at this address."))
    : Effect.as(
      Effect.logError("The console failed to answer", cause),
      refuse(500, "The console failed to answer; its log says why.")
    )
}

/** Gives the answer of a console that ends; nothing while it does not. */
const ended = ({ isEnding }: Guarded) => isEnding() ? refuse(503, "The console ends.", "Unavailable") : undefined

/** Guards an application. */
export const guard = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, guarded: Guarded) =>
  HttpServerRequest.HttpServerRequest.use(Effect.fnUntraced(function*(request) {
    const stop = stopped(request, guarded.place) ?? ended(guarded) ??
      // The console may begin to end while the body comes.
      (BODIED.has(request.method) ? (yield* taken(request, guarded)) ?? ended(guarded) : undefined)
    const answer = stop ??
      HttpServerResponse.setHeaders(
        yield* Effect.catchCauseIf(app, (cause) => !Cause.hasInterruptsOnly(cause), answerOf),
        Headers.all
      )
    // The sessions ended with the console: that is no reason to sign in again.
    return answer.status === 401 ? ended(guarded) ?? answer : answer
  }))
