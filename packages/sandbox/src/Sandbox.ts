/**
 * The one entry: a generated history behind the exchange, on a real socket or in process, with what a client needs to
 * reach it and the truth to hold its findings against.
 */
import type * as Conventions from "@tallystick/core/Conventions"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { allPermissions, type Credential } from "./Credential.ts"
import * as Exchange from "./Exchange.ts"
import type * as Faults from "./Faults.ts"
import * as History from "./History.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"
import * as DeliveredResponse from "./internal/delivery/DeliveredResponse.ts"
import type * as Rules from "./Rules.ts"
import * as Server from "./Server.ts"

export interface Options {
  /** What to change of the usual history; it ends now unless `to` is given. A whole history is taken as it is. */
  readonly history?: Partial<HistoryOptions> | History.History
  readonly conventions?: Conventions.Conventions
  readonly rules?: Partial<Rules.Rules>
  readonly faults?: Faults.Faults
  /** The first one is the sandbox's own; absent: one made-up key with every permission. */
  readonly credentials?: readonly [Credential, ...ReadonlyArray<Credential>]
}

/** Where a sandbox is, how to sign for it, and what is true there. */
export interface Service {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
  readonly history: History.History
  readonly truth: History.History["truth"]
  readonly exchange: Exchange.Exchange["Service"]
}

/** A key that opens nothing but a sandbox. */
const usual: Credential = {
  apiKey: "mx0sandbox",
  secretKey: Redacted.make("sandbox-secret", { label: "secretKey" }),
  permissions: allPermissions
}

const isWhole = (history: Partial<HistoryOptions> | History.History): history is History.History => "truth" in history

const prepare = Effect.fnUntraced(function*(options: Options) {
  const given = options.history ?? {}
  const history = isWhole(given)
    ? given
    : History.generate({ ...given, to: given.to ?? (yield* Clock.currentTimeMillis) })
  const credentials = options.credentials ?? [usual] as const
  const exchange = yield* Exchange.Exchange.make({
    credentials,
    deposits: history.deposits,
    transfers: history.transfers,
    subAccounts: history.subAccounts,
    master: history.options.master,
    ...(options.conventions === undefined ? {} : { conventions: options.conventions }),
    ...(options.rules === undefined ? {} : { rules: options.rules }),
    ...(options.faults === undefined ? {} : { faults: options.faults })
  })
  const [own] = credentials
  return (baseUrl: string): Service => ({
    baseUrl,
    apiKey: Redacted.make(own.apiKey, { label: "apiKey" }),
    secretKey: own.secretKey,
    history,
    truth: history.truth,
    exchange
  })
})

const bodyText = (request: HttpClientRequest.HttpClientRequest): string =>
  request.body._tag === "Uint8Array" ? request.body.text ?? new TextDecoder().decode(request.body.body) : ""

/**
 * A client whose every request, to whatever host, the exchange answers itself: no sockets, no time but the `Clock`'s. Late,
 * lost and broken answers come as a real connection would bring them; interruption ends them.
 */
export const httpClient = (exchange: Exchange.Exchange["Service"]): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.flatMap(
      exchange.handle({
        method: request.method,
        path: url.pathname,
        rawQuery: url.search.slice(1),
        headers: request.headers,
        body: bodyText(request)
      }),
      (answer) => DeliveredResponse.make(request, answer)
    )
  )

/** The base URL of a sandbox without a socket; nothing listens there. */
const NOWHERE = "http://127.0.0.1"

export class Sandbox extends Context.Service<Sandbox, Service>()("@tallystick/sandbox/Sandbox") {
  /** A server on a free port of 127.0.0.1 (or on `port`), stopped when the scope closes. */
  static readonly layer = (options: Options & Server.Options = {}): Layer.Layer<Sandbox, ServeError> =>
    Layer.effect(
      Sandbox,
      Effect.gen(function*() {
        const at = yield* prepare(options)
        return at(yield* Server.serve(at(NOWHERE).exchange, options))
      })
    )

  /** The same in process: an `HttpClient` that reaches it and nothing else. */
  static readonly layerInProcess = (options: Options = {}): Layer.Layer<Sandbox | HttpClient.HttpClient> =>
    Layer.effectContext(
      Effect.map(prepare(options), (at) => {
        const sandbox = at(NOWHERE)
        return Context.make(Sandbox, sandbox).pipe(
          Context.add(HttpClient.HttpClient, httpClient(sandbox.exchange))
        )
      })
    )
}
