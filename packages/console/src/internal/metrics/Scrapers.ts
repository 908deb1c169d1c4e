/** Finds out who asks for metrics: somebody in a session, or a program that sends a name and a token along with each request, as monitoring does. */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type TooManyLogins, Unauthenticated, type Unavailable } from "../../ConsoleError.ts"
import type * as Access from "../api/Access.ts"
import type { Directory } from "../security/Directory.ts"
import * as Gate from "../security/Gate.ts"
import type * as Logins from "../security/Logins.ts"
import type { Place } from "../security/Place.ts"
import * as Secret from "../security/Secret.ts"
import type * as Sessions from "../security/Sessions.ts"
import * as SignedIn from "../security/SignedIn.ts"

/** So many tokens that were refused are remembered at most; then the one that was shown least lately is forgotten. */
const REFUSED = 1000

const STALE = "Nobody has this name and this token, which was checked before."

interface Doors {
  readonly directory: Directory
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
 * Remembers which tokens were refused, and for which hash of the directory. Monitoring goes on showing a token that was taken out of use:
 * that is one login that failed, and not one at each scrape, which would make everybody at its address wait.
 */
const refusals = () => {
  const hashes = new Map<string, string>()
  const keyOf = ({ name, token }: Credentials): string =>
    Base64.encode(Secret.digest(Redacted.make(`${name}:${Redacted.value(token)}`)))
  return {
    has: (shown: Credentials, hash: string): boolean => {
      const key = keyOf(shown)
      const isSame = hashes.get(key) === hash
      hashes.delete(key)
      if (isSame) hashes.set(key, hash)
      return isSame
    },
    add: (shown: Credentials, hash: string): void => {
      hashes.set(keyOf(shown), hash)
      const [oldest] = hashes.keys()
      if (hashes.size > REFUSED && oldest !== undefined) hashes.delete(oldest)
    }
  }
}

/**
 * Makes what tells who asks. A program is signed in once, by a hash that takes long, and stays so as long as its session does: somebody who
 * is taken out of the file of users is refused at the next request.
 */
export const make = ({ directory, logins, place, sessions }: Doors) => {
  const opened = new Map<string, Opened>()
  const refused = refusals()

  const signedIn = Effect.fnUntraced(function*(
    request: HttpServerRequest.HttpServerRequest,
    shown: Credentials
  ) {
    const { name, token } = shown
    const kept = opened.get(name)
    if (kept !== undefined && Secret.isSame(token, kept.digest)) {
      const session = yield* Effect.result(sessions.find(kept.bearer, "bearer"))
      if (Result.isSuccess(session)) return session.success
      opened.delete(name)
    }
    const hash = Option.match(yield* directory.find(name), { onNone: () => "", onSome: ({ hash }) => hash })
    if (refused.has(shown, hash)) return yield* new Unauthenticated({ message: STALE })
    const known = yield* Effect.tapErrorTag(
      logins.login({ address: Gate.addressOf(request, place), name, token }),
      "Unauthenticated",
      () => Effect.sync(() => refused.add(shown, hash))
    )
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
