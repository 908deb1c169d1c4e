/** Asks the console that served this page, in a session. */
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { ConsoleApi } from "../../../src/ConsoleApi.ts"
import * as Access from "../../../src/internal/api/Access.ts"

/** What each request sends along. */
export interface Credentials {
  readonly bearer: Redacted.Redacted | null
  readonly csrf: string | null
}

const signed = ({ bearer, csrf }: Credentials) => (request: HttpClientRequest.HttpClientRequest) => {
  const withBearer = bearer === null ? request : HttpClientRequest.bearerToken(request, bearer)
  return csrf === null ? withBearer : HttpClientRequest.setHeader(withBearer, Access.CSRF, csrf)
}

export const make = (credentials: Credentials) =>
  Effect.runSync(
    HttpApiClient.make(ConsoleApi, { baseUrl: location.origin }).pipe(Effect.provide(Layer.merge(
      HttpApiMiddleware.layerClient(Access.SignedIn, ({ next, request }) => next(signed(credentials)(request))),
      FetchHttpClient.layer
    )))
  )

export type Client = ReturnType<typeof make>
