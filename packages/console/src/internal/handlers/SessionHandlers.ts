/** Signs people in and out. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ConsoleApi } from "../../ConsoleApi.ts"
import * as Access from "../api/Access.ts"
import * as Gate from "../security/Gate.ts"
import * as Logins from "../security/Logins.ts"
import type { Place } from "../security/Place.ts"
import * as Sessions from "../security/Sessions.ts"
import type * as SignedIn from "../security/SignedIn.ts"

export const layer = (place: Place, { readOnly }: SignedIn.Options) =>
  HttpApiBuilder.group(
    ConsoleApi,
    "session",
    Effect.fnUntraced(function*(handlers) {
      const logins = yield* Logins.Logins
      const sessions = yield* Sessions.Sessions
      const told = ({ csrf, endsAt, person }: Access.Session) => ({ person, endsAt, csrf, readOnly })
      return handlers.handleAll({
        exchange: Effect.fnUntraced(function*({ payload: { token } }) {
          const opened = yield* sessions.open(yield* logins.exchange(token), "bearer")
          return { ...told(opened.session), bearer: opened.token }
        }),
        login: Effect.fnUntraced(function*({ payload: { keep = "bearer", name, token }, request }) {
          const known = yield* logins.login({ address: Gate.addressOf(request, place), name, token })
          // A cookie that other ports of this machine see is none to keep a session in.
          const kept = place.isBehindProxy ? keep : "bearer"
          const opened = yield* sessions.open(known, kept)
          if (kept === "bearer") return { ...told(opened.session), bearer: opened.token }
          yield* HttpApiBuilder.securitySetCookie(Access.cookie, opened.token, { path: "/", sameSite: "strict" })
          return { ...told(opened.session), bearer: null }
        }),
        whoAmI: () => Effect.map(Access.CurrentSession, told),
        logout: () => Access.CurrentSession.use(({ id }) => sessions.end(id))
      })
    })
  )
