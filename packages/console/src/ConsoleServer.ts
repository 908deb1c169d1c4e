/**
 * Serves the console over HTTP until the scope closes.
 *
 * Without a file of users it listens on this machine alone, and is opened once, by the address that it gives. With one people sign in by
 * name and token, and it may stand behind a proxy that speaks TLS.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type * as Archive from "@tallystick/archive/Archive"
import type * as Books from "@tallystick/archive/Books"
import type * as Candidates from "@tallystick/archive/Candidates"
import type * as Decisions from "@tallystick/archive/Decisions"
import type * as ItemPages from "@tallystick/archive/ItemPages"
import type * as Notices from "@tallystick/archive/Notices"
import type * as OpenItems from "@tallystick/archive/OpenItems"
import type * as Periods from "@tallystick/archive/Periods"
import type * as Runs from "@tallystick/archive/Runs"
import * as Conventions from "@tallystick/core/Conventions"
import * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"
import { ConsoleApi } from "./ConsoleApi.ts"
import * as Access from "./internal/api/Access.ts"
import * as DocsPage from "./internal/docs/DocsPage.ts"
import * as BooksHandlers from "./internal/handlers/BooksHandlers.ts"
import * as DecisionsHandlers from "./internal/handlers/DecisionsHandlers.ts"
import * as EntriesHandlers from "./internal/handlers/EntriesHandlers.ts"
import * as EventsHandlers from "./internal/handlers/EventsHandlers.ts"
import * as ItemsHandlers from "./internal/handlers/ItemsHandlers.ts"
import * as PeriodsHandlers from "./internal/handlers/PeriodsHandlers.ts"
import * as RunsHandlers from "./internal/handlers/RunsHandlers.ts"
import * as SessionHandlers from "./internal/handlers/SessionHandlers.ts"
import * as StatusHandlers from "./internal/handlers/StatusHandlers.ts"
import * as MetricsRoute from "./internal/metrics/MetricsRoute.ts"
import * as PageFiles from "./internal/page/PageFiles.ts"
import * as Answers from "./internal/security/Answers.ts"
import * as Connections from "./internal/security/Connections.ts"
import type { Directory } from "./internal/security/Directory.ts"
import * as Gate from "./internal/security/Gate.ts"
import * as Logins from "./internal/security/Logins.ts"
import * as Place from "./internal/security/Place.ts"
import * as Secret from "./internal/security/Secret.ts"
import * as Sessions from "./internal/security/Sessions.ts"
import * as SignedIn from "./internal/security/SignedIn.ts"
import * as UserFile from "./internal/security/UserFile.ts"
import * as Person from "./Person.ts"

/** One person on this machine, who holds the address that is given when the console starts. */
export interface Desk {
  readonly _tag: "Desk"
  /** The name that decisions bear, and how far it can be trusted. The role is the highest. */
  readonly author: Pick<Person.Person, "identity" | "name">
}

/** The people of a file of users (`Users.Users`). The file is read again whenever it changed. */
export interface OfFile {
  readonly _tag: "Users"
  /** The path of the file. */
  readonly file: string
  /** The origin of the proxy that speaks TLS: `https://books.example.com`. Without it the console listens on this machine alone. */
  readonly publicOrigin?: string
}

export interface Options {
  /** The address to listen at; default `127.0.0.1`. Another one than this machine's own needs a public origin. */
  readonly host?: string
  /** The port to listen at; 0, the default, is any that is free. */
  readonly port?: number
  readonly people: Desk | OfFile
  /** Nothing is written, whatever a role allows. Default: false. */
  readonly readOnly?: boolean
  /** A session ends when nothing was asked in it for so long; default one hour. */
  readonly idle?: Duration.Input
  /** A session ends after so long; default 12 hours. */
  readonly lifetime?: Duration.Input
  /**
   * Deposits younger than this are certainly still known to the exchange: until then what was not read can be read. Default: that of
   * `Conventions.mexc`.
   */
  readonly depositHistory?: Duration.Input
}

/** Where the console is. */
export interface Served {
  /** `http://127.0.0.1:PORT`, or the public origin. */
  readonly origin: string
  /** Where it listens, to which a proxy passes requests on: `http://127.0.0.1:PORT`. */
  readonly local: string
  /** The address that opens the console, once, with its token in the fragment, which no server ever sees; only at the desk. */
  readonly opening?: Redacted.Redacted
}

/** The console does not start, because it could not be safe so. */
export class UnsafeOptions
  extends Schema.TaggedError<UnsafeOptions>("@tallystick/console/ConsoleServer/UnsafeOptions")("UnsafeOptions", {
    message: Schema.String
  })
{}

const unsafe = (message: string) => Effect.fail(new UnsafeOptions({ message }))

const LOCAL = "127.0.0.1"

/** The origin of a proxy, which is nothing but scheme, host and port. */
const publicOrigin = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "https:" && url.origin === text ? url : undefined
}

/** Finds the proxy's origin, and refuses what could not be safe. */
const checked = Effect.fnUntraced(function*({ host = LOCAL, people }: Options) {
  const name: string | undefined = people._tag === "Desk" ? people.author.name : undefined
  if (name !== undefined && !Person.isName(name)) {
    return yield* unsafe(`"${name}" is no name that a decision could bear`)
  }
  const given = people._tag === "Users" ? people.publicOrigin : undefined
  const origin = given === undefined ? undefined : publicOrigin(given)
  if (given !== undefined && origin === undefined) {
    return yield* unsafe(`"${given}" is no origin of a proxy that speaks TLS: https://books.example.com is one`)
  }
  if (Place.isLoopback(host) || origin !== undefined) return origin
  return yield* unsafe(
    people._tag === "Desk"
      ? `without a file of users the console listens on this machine alone, and ${host} is more`
      : `${host} can be reached from elsewhere: that needs a proxy that speaks TLS, and its public origin`
  )
})

/**
 * So long a request may take to come, and a connection may take nothing of its answer, ms, how often requests are looked at, and so many
 * connections there are at most.
 */
const SLOW = { headers: 5000, request: 30_000, unread: 60_000, looked: 1000, connections: 1000 }

/** When the console ends, requests that are under way have so long to be answered. */
const GRACE: Duration.Input = "1 second"

/** The services of an archive that is open; the layers of `Archive` bring them along. */
type Services =
  | Archive.Archive
  | Books.Books
  | Candidates.Candidates
  | Decisions.Decisions
  | ItemPages.ItemPages
  | Notices.Notices
  | OpenItems.OpenItems
  | Periods.Periods
  | Runs.Runs

/** A server that waits for nobody for long. */
const server = () => {
  const made = createServer({
    headersTimeout: SLOW.headers,
    requestTimeout: SLOW.request,
    connectionsCheckingInterval: SLOW.looked
  })
  made.maxConnections = SLOW.connections
  Connections.guard(made, { most: SLOW.connections / 2, unread: SLOW.unread })
  return made
}

/** Makes the ways to sign in that fit the people. */
const doors = Effect.fnUntraced(function*(people: Options["people"]) {
  if (people._tag === "Users") {
    const directory = yield* UserFile.make(people.file)
    return { directory, logins: Logins.Logins.layerUsers(directory), token: undefined }
  }
  const known = { person: { ...people.author, role: "approve" as const }, hash: "" }
  const token = yield* Secret.make
  const directory: Directory = { find: () => Effect.succeedSome(known) }
  return { directory, logins: Logins.Logins.layerDesk({ known, token }), token }
})

/**
 * Serves until the scope closes, and says where. Fails with `UnsafeOptions` where the console could not be safe so, and with
 * `ServeError` where the port is taken.
 */
export const serve = Effect.fnUntraced(function*(options: Options): Effect.fn.Return<
  Served,
  ServeError | UnsafeOptions,
  Services | Scope.Scope
> {
  const { host = LOCAL, idle = "1 hour", lifetime = "12 hours", people, port = 0, readOnly = false } = options
  const { depositHistory = Conventions.mexc.depositHistory } = options
  const origin = yield* checked(options)
  const { directory, logins, token } = yield* doors(people)
  const http = server()
  const listening = yield* NodeHttpServer.make(() => http, { host, port, disablePreemptiveShutdown: true })
  const { address } = listening
  if (address._tag === "UnixPathAddress") return yield* Effect.die("A server at a port has no path address")

  const place = Place.make(address.port, origin)
  const sessions = Sessions.make(directory, {
    idle: Duration.fromInputUnsafe(idle),
    lifetime: Duration.fromInputUnsafe(lifetime)
  })
  const api = HttpApiBuilder.layer(ConsoleApi, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide(Layer.mergeAll(
      SessionHandlers.layer(place, { readOnly }),
      BooksHandlers.layer,
      DecisionsHandlers.layer,
      EntriesHandlers.layer,
      EventsHandlers.layer,
      ItemsHandlers.layer,
      PeriodsHandlers.layer,
      RunsHandlers.layer,
      StatusHandlers.layer(depositHistory)
    )),
    Layer.provide(Layer.mergeAll(SignedIn.layer({ readOnly }), Answers.layer))
  )
  const routes = Layer.mergeAll(
    api,
    MetricsRoute.layer({ directory, place, depositHistory }),
    DocsPage.layer,
    PageFiles.layer
  )
    .pipe(
      Layer.provide(Layer.mergeAll(logins, Layer.succeed(Sessions.Sessions, sessions))),
      Layer.provide(NodeHttpServer.layerHttpServices)
    )
  const app = yield* HttpRouter.toHttpEffect(routes)
  const ending = MutableRef.make(false)
  yield* listening.serve(Gate.guard(app, { place, sessions, isEnding: () => MutableRef.get(ending) })).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(Gate.MOST_BYTES)),
    Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true),
    Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, Access.CSRF])
  )
  // A connection that became one of another protocol would have none of the limits: without a listener Node takes such a request as any other.
  http.removeAllListeners("upgrade")
  // Streams of events end before the server waits for connections to end.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => MutableRef.set(ending, true)).pipe(
      Effect.andThen(sessions.endAll),
      Effect.andThen(Connections.end(http, GRACE))
    )
  )
  const local = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`
  const served: Served = { origin: origin?.origin ?? local, local }
  if (token === undefined) return served
  return { ...served, opening: Redacted.make(`${local}/#token=${Redacted.value(token)}`, { label: "address" }) }
})
