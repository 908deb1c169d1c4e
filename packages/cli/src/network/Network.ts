/**
 * How the command reaches the network: by undici, which sends a request once. Node's fetch sends a request again by itself
 * after an answer 421, also a POST, and so could make two keys.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

/** Loaded late: `--help` sends nothing. */
const load = Effect.promise(() => import("./Undici.ts"))

export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const loaded = yield* Effect.cached(Effect.flatMap(load, ({ client }) => Scope.provide(client, scope)))
    return HttpClient.makeWith(
      (request: Effect.Effect<HttpClientRequest.HttpClientRequest>) =>
        Effect.flatMap(loaded, (client) => Effect.flatMap(request, client.execute)),
      Effect.succeed
    )
  })
)
