/**
 * The entry of this package: a generated history behind the exchange, on a real socket or in process. It gives a client all it
 * needs to reach the exchange, and the truth against which its findings can be checked.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import type * as RateLimit from "@tallystick/core/RateLimit"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
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
import * as Rules from "./Rules.ts"
import * as Server from "./Server.ts"

/** These options say what the sandbox knows, and how it behaves. */
export interface Options {
  /** The options that differ from the usual history, which ends now unless `to` is given. A whole history is taken as it is. */
  readonly history?: Partial<HistoryOptions> | History.History
  /** The conventions that it follows, `Conventions.mexc` unless given. */
  readonly conventions?: Conventions.Conventions
  /** The rules that differ from `Rules.defaults`. */
  readonly rules?: Partial<Rules.Rules>
  /** The faults that are in force at first; none unless given. */
  readonly faults?: Faults.Faults
  /**
   * The keys of the master, of which the first one is the sandbox's own. A broker of the sandbox takes all of them in turn, and each
   * has the rate of the rules where `Conventions.ratePer` is `key`. Absent: one made-up key with every permission.
   */
  readonly credentials?: readonly [Credential, ...ReadonlyArray<Credential>]
}

/** A running sandbox: its address, how to sign for it, and the truth about its history. */
export interface Service {
  /** The address at which it answers. */
  readonly baseUrl: string
  /** The key of the first credential. */
  readonly apiKey: Redacted.Redacted
  /** The secret of the first credential. */
  readonly secretKey: Redacted.Redacted
  /**
   * The options of a broker of this sandbox: its address, keys and conventions, and the rate that its rules allow; where they allow
   * any, 100,000 requests in a second, at which nothing waits.
   */
  readonly brokerOptions: BrokerConfig.Options
  /**
   * Returns the same as environment variables, for a program that is configured by them: `TALLYSTICK_BASE_URL` and so on, or those
   * of another prefix. The secret stands among them as text; it opens nothing but this sandbox.
   */
  readonly environment: (prefix?: string) => Readonly<Record<string, string>>
  /** The history that it answers from. */
  readonly history: History.History
  /** Which records of the history belong together, and what was planted. */
  readonly truth: History.History["truth"]
  /** The exchange itself: its faults, its keys and the requests that it saw. */
  readonly exchange: Exchange.Exchange["Service"]
}

/** A key that opens nothing but a sandbox. */
const usual: Credential = {
  apiKey: "mx0sandbox",
  secretKey: Redacted.make("sandbox-secret", { label: "secretKey" }),
  permissions: allPermissions
}

/** The highest rate that a broker takes: nothing waits for it. */
const UNLIMITED = 100_000

/** Returns the rate at which a broker is never refused under these rules. */
const rateOf = (rate: Rules.Rate | null): RateLimit.Rate =>
  rate === null
    ? { requests: UNLIMITED, window: Duration.seconds(1) }
    : { requests: Math.min(rate.limit, UNLIMITED), window: Duration.millis(rate.window) }

const isWhole = (history: Partial<HistoryOptions> | History.History): history is History.History => "truth" in history

const prepare = Effect.fnUntraced(function*(options: Options) {
  const given = options.history ?? {}
  const history = isWhole(given)
    ? given
    : History.generate({ ...given, to: given.to ?? (yield* Clock.currentTimeMillis) })
  const { span, to } = history.options
  const credentials = options.credentials ?? [usual] as const
  const exchange = yield* Exchange.Exchange.make({
    credentials,
    deposits: history.deposits,
    transfers: history.transfers,
    subAccounts: history.subAccounts.map((subAccount) => ({ subAccount, note: "", timestamp: to - span })),
    master: history.options.master,
    ...(options.conventions === undefined ? {} : { conventions: options.conventions }),
    ...(options.rules === undefined ? {} : { rules: options.rules }),
    ...(options.faults === undefined ? {} : { faults: options.faults })
  })
  const [{ apiKey, secretKey }, ...further] = credentials
  const apiKeys = further.map(({ apiKey, secretKey }) => ({
    apiKey: Redacted.make(apiKey, { label: "apiKey" }),
    secretKey
  }))
  const conventions = options.conventions ?? Conventions.mexc
  const rate = rateOf({ ...Rules.defaults, ...options.rules }.rate)
  return (baseUrl: string): Service => {
    const access = { baseUrl, apiKey: Redacted.make(apiKey, { label: "apiKey" }), secretKey }
    return {
      ...access,
      brokerOptions: { ...access, conventions, rate, ...(apiKeys.length === 0 ? {} : { apiKeys }) },
      environment: (prefix = "TALLYSTICK") => ({
        [`${prefix}_BASE_URL`]: baseUrl,
        [`${prefix}_API_KEY`]: apiKey,
        [`${prefix}_SECRET_KEY`]: Redacted.value(secretKey),
        ...(further.length === 0 ? {} : {
          [`${prefix}_API_KEYS`]: JSON.stringify(
            further.map(({ apiKey, secretKey }) => ({ apiKey, secretKey: Redacted.value(secretKey) }))
          )
        }),
        [`${prefix}_RATE`]: `${rate.requests}/${Duration.toMillis(rate.window)} millis`,
        ...(options.conventions === undefined ? {} : { [`${prefix}_CONVENTIONS`]: JSON.stringify(conventions) })
      }),
      history,
      truth: history.truth,
      exchange
    }
  }
})

const bodyText = (request: HttpClientRequest.HttpClientRequest): string =>
  request.body._tag === "Uint8Array" ? request.body.text ?? new TextDecoder().decode(request.body.body) : ""

/**
 * Makes a client whose requests, to any host, the exchange answers itself. It needs no sockets, and its only time is the
 * `Clock`'s. Late, lost and broken answers come as a real connection would bring them; interruption ends them.
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

/** The sandbox: an exchange on a socket or in process, with a history whose truth is known. */
export class Sandbox extends Context.Service<Sandbox, Service>()("@tallystick/sandbox/Sandbox") {
  /** Runs a server on a free port of 127.0.0.1 (or on `port`), which stops when the scope closes. */
  static readonly layer = (options: Options & Server.Options = {}): Layer.Layer<Sandbox, ServeError> =>
    Layer.effect(
      Sandbox,
      Effect.gen(function*() {
        const at = yield* prepare(options)
        return at(yield* Server.serve(at(NOWHERE).exchange, options))
      })
    )

  /** Runs the same in process: its `HttpClient` reaches the sandbox and nothing else. */
  static readonly layerInProcess = (options: Options = {}): Layer.Layer<Sandbox | HttpClient.HttpClient> =>
    Layer.effectContext(
      Effect.map(prepare(options), (at) => {
        const sandbox = at(NOWHERE)
        return Context.make(Sandbox, sandbox).pipe(
          Context.add(HttpClient.HttpClient, httpClient(sandbox.exchange))
        )
      })
    )

  /**
   * Builds a broker of the sandbox in the context, from `brokerOptions` and the options that differ. The `HttpClient` is that of
   * `layerInProcess`, or any other for a sandbox on a socket. It signs at once, so that in process nothing happens outside of the
   * `Clock`'s time.
   */
  static readonly layerBroker = (
    options: Partial<BrokerConfig.Options> = {}
  ): Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError, Sandbox | HttpClient.HttpClient> =>
    Layer.unwrap(Sandbox.useSync(({ brokerOptions }) => Broker.Broker.layer({ ...brokerOptions, ...options }))).pipe(
      Layer.provide(NodeCrypto.layerMac)
    )
}
