/** Access to endpoints: each says which role it needs, and gets the session of the person who asks. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { Forbidden, InvalidRequest, Unauthenticated, Unavailable } from "../../ConsoleError.ts"
import type * as Person from "../../Person.ts"

/** The session of a request. */
export interface Session {
  readonly id: string
  readonly person: Person.Person
  /** The session ends then, Unix ms, whatever happens in it. */
  readonly endsAt: number
  /** A write must send this along, where the session is kept in a cookie. */
  readonly csrf: string | null
}

export class CurrentSession extends Context.Service<CurrentSession, Session>()(
  "@tallystick/console/internal/CurrentSession"
) {}

/** The role that an endpoint needs; every endpoint needs one at least, except those that sign somebody in. */
export const Needed = Context.Reference<Person.Role>("@tallystick/console/internal/Needed", {
  defaultValue: () => "approve"
})

/** Whether an endpoint is open to a console that writes nothing although its method is not GET. */
export const ChangesNothing = Context.Reference<boolean>("@tallystick/console/internal/ChangesNothing", {
  defaultValue: () => false
})

/** The cookie of a session behind a proxy. By its name a browser keeps it to this host, to TLS, and to what the host itself set. */
export const COOKIE = "__Host-tallystick"

/** The header that a write sends along with that cookie. */
export const CSRF = "x-tallystick-csrf"

export const cookie = HttpApiSecurity.apiKey({ in: "cookie", key: COOKIE })

/** Lets requests of people through who are signed in and may do what the endpoint does. */
export class SignedIn extends HttpApiMiddleware.Service<SignedIn, { provides: CurrentSession }>()(
  "@tallystick/console/internal/SignedIn",
  {
    requiredForClient: true,
    security: {
      bearer: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotate(OpenApi.Description, "The bearer of a session.")),
      cookie: cookie.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          `A session behind a proxy; each write sends the header ${CSRF} along.`
        )
      )
    },
    error: [Unauthenticated, Forbidden, Unavailable]
  }
) {}

/** Answers a request that cannot be read with `InvalidRequest`. */
export class Answers extends HttpApiMiddleware.Service<Answers>()("@tallystick/console/internal/Answers", {
  error: InvalidRequest
}) {}
