/** Asks a console as a program does: typed, by its description. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { ConsoleApi } from "./ConsoleApi.ts"
import * as Access from "./internal/api/Access.ts"

/** Where the console is: `http://127.0.0.1:4711`, or the origin of its proxy. */
export interface Options {
  readonly origin: string
}

const client = (origin: string, bearer?: Redacted.Redacted) =>
  HttpApiClient.make(ConsoleApi, { baseUrl: origin }).pipe(
    Effect.provide(HttpApiMiddleware.layerClient(
      Access.SignedIn,
      ({ next, request }) => next(bearer === undefined ? request : HttpClientRequest.bearerToken(request, bearer))
    ))
  )

/** The console as somebody sees it who is signed in. A program signs in by `layerLogin`. */
export class ConsoleClient extends Context.Service<ConsoleClient, HttpApiClient.ForApi<typeof ConsoleApi>>()(
  "@tallystick/console/ConsoleClient"
) {
  /** Asks in a session that is open: its bearer is known. */
  static readonly layerBearer = (
    { bearer, origin }: Options & { readonly bearer: Redacted.Redacted }
  ): Layer.Layer<ConsoleClient, never, HttpClient.HttpClient> => Layer.effect(ConsoleClient, client(origin, bearer))

  /** Signs in by a name and a token of the file of users, and signs out at the end. */
  static readonly layerLogin = (
    { name, origin, token }: Options & { readonly name: string; readonly token: Redacted.Redacted }
  ) =>
    Layer.effect(
      ConsoleClient,
      Effect.gen(function*() {
        const { session } = yield* client(origin)
        const { bearer } = yield* session.login({ payload: { name, token, keep: "bearer" } })
        const signedIn = yield* client(origin, bearer ?? undefined)
        yield* Effect.addFinalizer(() => Effect.ignore(signedIn.session.logout()))
        return signedIn
      })
    )
}
