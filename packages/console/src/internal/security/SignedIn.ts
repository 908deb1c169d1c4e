/** Lets a request through to its endpoint: somebody is signed in, may do what it does, and meant it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Forbidden } from "../../ConsoleError.ts"
import * as Person from "../../Person.ts"
import * as Access from "../api/Access.ts"
import * as Secret from "./Secret.ts"
import * as Sessions from "./Sessions.ts"

export interface Options {
  /** Nothing is written. */
  readonly readOnly: boolean
}

const changes = ({ annotations, method }: HttpApiEndpoint.Top): boolean =>
  method !== "GET" && !Context.get(annotations, Access.ChangesNothing)

const allowed = (session: Access.Session, endpoint: HttpApiEndpoint.Top, { readOnly }: Options) => {
  if (readOnly && changes(endpoint)) {
    return Effect.fail(new Forbidden({ reason: "read-only", message: "This console writes nothing." }))
  }
  const needed = Context.get(endpoint.annotations, Access.Needed)
  return Person.allows(session.person.role, needed)
    ? Effect.void
    : Effect.fail(
      new Forbidden({ reason: "role", message: `${session.person.name} may not do this: it takes the role ${needed}.` })
    )
}

/** A browser sends the cookie along with whatever asks for it; the header only the console's own page can send. */
const meant = ({ csrf }: Access.Session, { method }: HttpApiEndpoint.Top) =>
  HttpServerRequest.HttpServerRequest.use(({ headers }) => {
    if (method === "GET" || csrf === null) return Effect.void
    const sent = Redacted.make(headers[Access.CSRF] ?? "")
    const message = `A write sends the header ${Access.CSRF} along, as the session told it.`
    return Secret.isSame(sent, Secret.digest(Redacted.make(csrf)))
      ? Effect.void
      : Effect.fail(new Forbidden({ reason: "csrf", message }))
  })

/** Finds the session of a request. A proxy may ask for a password of its own: of `Authorization` only a bearer is for the console. */
export const sessionOf = (
  { cookies, headers }: Pick<HttpServerRequest.HttpServerRequest, "cookies" | "headers">,
  sessions: Sessions.Service
) => {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "") ?? []
  return bearer === undefined
    ? sessions.find(Redacted.make(cookies[Access.COOKIE] ?? ""), "cookie")
    : sessions.find(Redacted.make(bearer), "bearer")
}

export const layer = (options: Options) =>
  Layer.effect(
    Access.SignedIn,
    Effect.gen(function*() {
      const sessions = yield* Sessions.Sessions
      // Both look at the same one: its failure must not be hidden by the lack of the other one.
      const through: Access.SignedIn["Service"]["bearer"] = Effect.fnUntraced(function*(answer, { endpoint }) {
        const session = yield* sessionOf(yield* HttpServerRequest.HttpServerRequest, sessions)
        yield* meant(session, endpoint)
        yield* allowed(session, endpoint, options)
        return yield* Effect.provideService(answer, Access.CurrentSession, session)
      })
      return Access.SignedIn.of({ bearer: through, cookie: through })
    })
  )
