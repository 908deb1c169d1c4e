/** Finds out who asks for metrics: somebody in a session, or a program that sends a name and a token along with each request, as monitoring does. */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { TooManyLogins, Unauthenticated, Unavailable } from "../../ConsoleError.ts"
import type * as Access from "../api/Access.ts"
import * as Gate from "../security/Gate.ts"
import type * as Logins from "../security/Logins.ts"
import type { Place } from "../security/Place.ts"
import * as Secret from "../security/Secret.ts"
import type * as Sessions from "../security/Sessions.ts"
import * as SignedIn from "../security/SignedIn.ts"

interface Doors {
  readonly place: Place
  readonly logins: Logins.Service
  readonly sessions: Sessions.Service
}

interface Credentials {
  readonly name: string
  readonly token: Redacted.Redacted
}

/** Reads `Authorization: Basic`. A name may have a colon in it; a token has none. */
const credentialsIn = (header: string | undefined): Credentials | undefined => {
  const [, encoded] = /^Basic +(\S+)$/i.exec(header ?? "") ?? []
  const text = encoded === undefined ? undefined : Result.getOrUndefined(Base64.decodeString(encoded))
  const colon = text?.lastIndexOf(":") ?? -1
  if (text === undefined || colon < 0) return undefined
  return { name: text.slice(0, colon), token: Redacted.make(text.slice(colon + 1), { label: "token" }) }
}

/** The session that was opened for a program, and what it showed then. */
interface Opened {
  readonly digest: Uint8Array
  readonly bearer: Redacted.Redacted
}

/**
 * Makes what tells who asks. A program is signed in once, by a hash that takes long, and stays so as long as its session does: somebody who
 * is taken out of the file of users is refused at the next request.
 */
export const make = ({ logins, place, sessions }: Doors) => {
  const opened = new Map<string, Opened>()

  const signedIn = Effect.fnUntraced(function*(
    request: HttpServerRequest.HttpServerRequest,
    { name, token }: Credentials
  ) {
    const kept = opened.get(name)
    if (kept !== undefined && Secret.isSame(token, kept.digest)) {
      const session = yield* Effect.result(sessions.find(kept.bearer, "bearer"))
      if (Result.isSuccess(session)) return session.success
      opened.delete(name)
    }
    const known = yield* logins.login({ address: Gate.addressOf(request, place), name, token })
    const { session, token: bearer } = yield* sessions.open(known, "bearer")
    opened.set(name, { digest: Secret.digest(token), bearer })
    return session
  })

  return (
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<Access.Session, TooManyLogins | Unauthenticated | Unavailable> =>
    Effect.catchTag(SignedIn.sessionOf(request, sessions), "Unauthenticated", (refused) => {
      const credentials = credentialsIn(request.headers["authorization"])
      return credentials === undefined ? Effect.fail(refused) : signedIn(request, credentials)
    })
}
