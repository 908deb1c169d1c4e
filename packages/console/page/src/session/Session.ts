/** Who is signed in, and how the browser keeps it. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Person from "../../../src/Person.ts"
import * as Client from "../asking/Client.ts"
import type { Told } from "../asking/Failure.ts"

export interface Session {
  readonly client: Client.Client
  readonly person: Person.Person
  readonly readOnly: boolean
}

interface Opened {
  readonly person: Person.Person
  readonly readOnly: boolean
  readonly csrf: string | null
  readonly bearer: Redacted.Redacted | null
}

/** The bearer lives as long as the tab. */
const KEY = "tallystick.bearer"

/** Whether a cookie keeps the session: only a console behind a proxy that speaks TLS has one. */
const HAS_COOKIE = location.protocol === "https:"

const nobody = () => Client.make({ bearer: null, csrf: null })

const opened = ({ bearer, csrf, person, readOnly }: Opened): Session => {
  if (bearer !== null) sessionStorage.setItem(KEY, Redacted.value(bearer))
  return { client: Client.make({ bearer, csrf }), person, readOnly }
}

/** Takes the one-time token of the printed address out of the address bar and the history, at once. */
export const takeToken = (): Redacted.Redacted | undefined => {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? []
  if (token === undefined) return undefined
  history.replaceState(null, "", location.pathname)
  return Redacted.make(token, { label: "token" })
}

export const exchange = (token: Redacted.Redacted): Effect.Effect<Session, Told> =>
  Effect.map(nobody().session.exchange({ payload: { token } }), opened)

export const login = (name: string, token: Redacted.Redacted): Effect.Effect<Session, Told> =>
  Effect.map(
    nobody().session.login({ payload: { name, token, keep: HAS_COOKIE ? "cookie" : "bearer" } }),
    opened
  )

/** Whether there may be a session that this tab, or the cookie, still keeps. */
export const mayContinue = (): boolean => HAS_COOKIE || sessionStorage.getItem(KEY) !== null

/** Goes on with the session that is kept. */
export const continued: Effect.Effect<Session, Told> = Effect.suspend(() => {
  const kept = sessionStorage.getItem(KEY)
  const bearer = kept === null ? null : Redacted.make(kept, { label: "session" })
  return Effect.map(
    Client.make({ bearer, csrf: null }).session.whoAmI(),
    (session) => opened({ ...session, bearer })
  )
})

export const forget = (): void => sessionStorage.removeItem(KEY)
