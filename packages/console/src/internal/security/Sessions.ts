/** Sessions live in the memory of the process. Of a session's token only a digest is kept. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Unauthenticated, type Unavailable } from "../../ConsoleError.ts"
import type { Session } from "../api/Access.ts"
import type { Directory, Known } from "./Directory.ts"
import * as Secret from "./Secret.ts"

/** A session is kept by the client as a bearer, or by a browser as a cookie. */
type Kept = "bearer" | "cookie"

export interface Options {
  /** A session in which nothing is asked ends after so long. */
  readonly idle: Duration.Duration
  /** Every session ends after so long. */
  readonly lifetime: Duration.Duration
}

/** One person has at most so many sessions; the oldest ends when one more begins. */
const MOST = 20

interface Open {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly kept: Kept
  readonly digest: Uint8Array
  readonly csrf: string | null
  readonly endsAt: number
  readonly over: Deferred.Deferred<void>
  seenAt: number
}

export interface Service {
  /** Opens a session for a person, and gives its token, which is told to nobody else. */
  readonly open: (known: Known, kept: Kept) => Effect.Effect<{
    readonly session: Session
    readonly token: Redacted.Redacted
  }>
  /** Finds the session of a token; it counts as used. The person is the one that is known now. */
  readonly find: (token: Redacted.Redacted, kept: Kept) => Effect.Effect<Session, Unauthenticated | Unavailable>
  /** Ends a session, if it is not over. */
  readonly end: (id: string) => Effect.Effect<void>
  /** Ends every session. */
  readonly endAll: Effect.Effect<void>
  /** Waits until a session is over, for whatever reason; it is held against the directory and the time meanwhile. */
  readonly over: (id: string) => Effect.Effect<void>
}

/** The name of a session, and its secret. */
const TOKEN = /^([0-9a-f]{16})\.([\w-]{43})$/

const NOBODY = "Nobody is signed in: the session is over, or was none."

/** So often a session that is watched is held against the directory. */
const WATCH: Duration.Input = "1 second"

/** Keeps sessions of the people of a directory. */
export const make = (directory: Directory, { idle, lifetime }: Options): Service => {
  const open = new Map<string, Open>()

  const end = (id: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const found = open.get(id)
      open.delete(id)
      return found === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(found.over, undefined))
    })

  const isOver = (session: Open, now: number): boolean =>
    now >= session.endsAt || now - session.seenAt >= Duration.toMillis(idle)

  /** Gives the person of a session as the directory has it now; nothing where the session is over, which it is from then on. */
  const personOf = Effect.fnUntraced(function*(session: Open) {
    const now = yield* Clock.currentTimeMillis
    const known = isOver(session, now) ? Option.none() : yield* directory.find(session.name)
    const found = Option.filter(known, ({ hash }) => hash === session.hash && open.has(session.id))
    if (Option.isNone(found)) yield* end(session.id)
    return found
  })

  const viewOf = ({ csrf, endsAt, id }: Open, { person }: Known): Session => ({ id, person, endsAt, csrf })

  const begin: Service["open"] = Effect.fnUntraced(function*(known, kept) {
    const { name } = known.person
    const now = yield* Clock.currentTimeMillis
    for (const session of open.values()) {
      if (isOver(session, now)) yield* end(session.id)
    }
    const own = [...open.values()].filter((session) => session.name === name)
    yield* Effect.forEach(own.slice(0, Math.max(0, own.length + 1 - MOST)), ({ id }) => end(id), { discard: true })
    const id = yield* Secret.name
    const secret = yield* Secret.make
    const session: Open = {
      id,
      name,
      hash: known.hash,
      kept,
      digest: Secret.digest(secret),
      csrf: kept === "cookie" ? Redacted.value(yield* Secret.make) : null,
      endsAt: now + Duration.toMillis(lifetime),
      over: yield* Deferred.make<void>(),
      seenAt: now
    }
    open.set(id, session)
    const token = Redacted.make(`${id}.${Redacted.value(secret)}`, { label: "session" })
    return { session: viewOf(session, known), token }
  })

  return Sessions.of({
    open: begin,
    find: Effect.fnUntraced(function*(token, kept) {
      const [, id = "", secret = ""] = TOKEN.exec(Redacted.value(token)) ?? []
      const session = open.get(id)
      const isOwn = session !== undefined && session.kept === kept &&
        Secret.isSame(Redacted.make(secret), session.digest)
      const known = isOwn ? yield* personOf(session) : Option.none()
      if (session === undefined || Option.isNone(known)) return yield* new Unauthenticated({ message: NOBODY })
      session.seenAt = yield* Clock.currentTimeMillis
      return viewOf(session, known.value)
    }),
    end,
    endAll: Effect.suspend(() => Effect.forEach([...open.keys()], end, { discard: true })),
    over: Effect.fnUntraced(function*(id) {
      const session = open.get(id)
      if (session === undefined) return
      // While the file of users cannot be read nobody is let in, and nobody is told more.
      const watched = Effect.sleep(WATCH).pipe(
        Effect.andThen(Effect.orElseSucceed(personOf(session), Option.none)),
        Effect.repeat({ while: Option.isSome })
      )
      yield* Effect.raceFirst(Deferred.await(session.over), Effect.asVoid(watched))
    })
  })
}

export class Sessions extends Context.Service<Sessions, Service>()("@tallystick/console/internal/Sessions") {}
