/**
 * The gate stands before everything else. It lets a request through that its own page or a program sends to the console by one of its own
 * names, with a body that is small and comes soon, and it puts the headers on every answer.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Headers from "./Headers.ts"
import type { Place } from "./Place.ts"

/** The largest body, bytes: a thousand decisions at once have half of it. */
export const MOST_BYTES = 1_000_000

/** A body must have come after so long. */
const BODY: Parameters<typeof Effect.timeoutOption>[1] = "20 seconds"

const BODIED = new Set(["POST", "PUT", "PATCH"])

type Request = HttpServerRequest.HttpServerRequest

const refuse = (status: number, message: string) => {
  const response = HttpServerResponse.text(JSON.stringify({ _tag: "Refused", message }), {
    status,
    contentType: "application/json"
  })
  // The rest of a body that nobody wants is not read.
  return HttpServerResponse.setHeaders(response, { ...Headers.all, connection: "close" })
}

/** Whether a browser asks for a page because somebody followed a link to it: such a request carries no session and changes nothing. */
const isFollowedLink = ({ headers, method, url }: Request): boolean =>
  method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document" &&
  !url.startsWith("/api/")

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
  if (!BODIED.has(request.method)) return undefined
  const { "content-length": length } = request.headers
  return Number(length ?? 0) > MOST_BYTES ? refuse(413, `A body has ${MOST_BYTES} bytes at most.`) : undefined
}

/**
 * Reads the body, which is kept for the handler; gives the answer to one that is too large or too slow. Reading goes on until that answer
 * is sent: to break it off closes the connection.
 */
const read = (request: Request) =>
  Effect.forkScoped(request.text).pipe(
    Effect.flatMap((reading) => Effect.timeoutOption(Fiber.join(reading), BODY)),
    Effect.match({
      onFailure: () => refuse(413, `A body has ${MOST_BYTES} bytes at most, and comes to its end.`),
      onSuccess: (text) => Option.isSome(text) ? undefined : refuse(408, "The body did not come in time.")
    })
  )

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

/** Guards an application. */
export const guard = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, place: Place) =>
  HttpServerRequest.HttpServerRequest.use(Effect.fnUntraced(function*(request) {
    const stop = stopped(request, place) ?? (BODIED.has(request.method) ? yield* read(request) : undefined)
    return stop ??
      HttpServerResponse.setHeaders(
        yield* Effect.catchCauseIf(app, (cause) => !Cause.hasInterruptsOnly(cause), answerOf),
        Headers.all
      )
  }))
