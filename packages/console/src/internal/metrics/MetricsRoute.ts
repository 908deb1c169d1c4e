/** Serves `/metrics` to everybody who may read: the metrics of the process, and the facts of the archive, in the text format of Prometheus. */
import * as Gauges from "@tallystick/archive/Gauges"
import * as Prometheus from "@tallystick/archive/Prometheus"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { TooManyLogins, Unauthenticated, Unavailable } from "../../ConsoleError.ts"
import type { Directory } from "../security/Directory.ts"
import * as Logins from "../security/Logins.ts"
import type { Place } from "../security/Place.ts"
import * as Sessions from "../security/Sessions.ts"
import * as Scrapers from "./Scrapers.ts"

/** The facts are read again after so long, however many ask. */
const FRESH: Duration.Input = "5 seconds"

const statuses: Readonly<Record<(TooManyLogins | Unauthenticated | Unavailable)["_tag"], number>> = {
  Unauthenticated: 401,
  TooManyLogins: 429,
  Unavailable: 503
}

const refused = (error: TooManyLogins | Unauthenticated | Unavailable) =>
  HttpServerResponse.text(JSON.stringify({ _tag: error._tag, message: error.message }), {
    status: statuses[error._tag],
    contentType: "application/json",
    ...(error._tag === "TooManyLogins" ? { headers: { "retry-after": String(error.retryAfter) } } : {})
  })

/** Without its facts an archive is told as one that could not be read. */
const unreadable = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterrupts(cause)
    ? Effect.interrupt
    : Effect.as(Effect.logError("The metrics lack the facts of the archive", cause), undefined)

export interface Options {
  readonly directory: Directory
  readonly place: Place
  /** Deposits younger than this are certainly still known to the exchange. */
  readonly depositHistory: Duration.Input
}

export const layer = ({ depositHistory, directory, place }: Options) =>
  Layer.unwrap(Effect.gen(function*() {
    const whoAsks = Scrapers.make({
      directory,
      place,
      logins: yield* Logins.Logins,
      sessions: yield* Sessions.Sessions
    })
    const facts = yield* Effect.cachedWithTTL(Effect.catchCause(Gauges.make(depositHistory), unreadable), FRESH)
    const told = Effect.map(
      Effect.flatMap(facts, Prometheus.text),
      (text) => HttpServerResponse.text(text, { contentType: Prometheus.CONTENT_TYPE })
    )
    return HttpRouter.add(
      "GET",
      "/metrics",
      HttpServerRequest.HttpServerRequest.use((request) =>
        Effect.matchEffect(whoAsks(request), {
          onFailure: (error) => Effect.succeed(refused(error)),
          onSuccess: () => told
        })
      )
    )
  }))
