/** HTTP by undici's own interface. Loaded only where something is sent. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Undici from "@effect/platform-node/Undici"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { PastProxies } from "../config/PastProxies.ts"
import * as Proxy from "../config/Proxy.ts"
import * as ProxyFailure from "./ProxyFailure.ts"

type Connect = Undici.buildConnector.connector

/** Connects to the proxy; a failure says that it is the proxy's. */
const toProxy = (proxy: string, connect: Connect): Connect => (options, callback) =>
  connect(options, (...[error, socket]) =>
    error === null
      ? callback(null, socket)
      : callback(new Error(ProxyFailure.unreached(proxy), { cause: error }), null))

interface Origin {
  readonly origin: string | URL
  readonly options: { readonly connect?: Connect }
}

/** Goes where the variables of proxies say, so that a connection that fails is known to be one to a proxy. */
const throughProxies = (
  { EnvHttpProxyAgent, Pool }: typeof Undici,
  { except, http, https }: Effect.Success<typeof Proxy.variables>
): Undici.Dispatcher => {
  const pool = ({ options, origin }: Origin): Undici.Pool => new Pool(origin, options)
  const proxied = ({ options: { connect, ...options }, origin }: Origin): Undici.Pool =>
    pool({
      origin,
      options: connect === undefined ? options : { ...options, connect: toProxy(Proxy.told(String(origin)), connect) }
    })
  const forwarding = URL.parse(http?.value ?? "")?.href
  return new EnvHttpProxyAgent({
    httpProxy: http?.value ?? "",
    httpsProxy: https?.value ?? "",
    noProxy: except?.value ?? "",
    // Makes the connection through which tunnels are asked for.
    clientFactory: (origin, options) => proxied({ origin, options }),
    // Makes all others: to a host, through a tunnel to it, and to the proxy that forwards what is not encrypted.
    factory: (origin, options) => (String(origin) === forwarding ? proxied : pool)({ origin, options })
  })
}

const importing = Effect.promise(() => import("@effect/platform-node/Undici"))

const closed = (dispatcher: Undici.Dispatcher) => Effect.promise(() => dispatcher.destroy())

/** Goes to the host itself. */
const past = Effect.acquireRelease(Effect.map(importing, ({ Agent }) => new Agent()), closed)

const dispatcher = Effect.acquireRelease(
  Effect.gen(function*() {
    const undici = yield* importing
    const problem = yield* Proxy.problem
    // A request must not go past a proxy that cannot be used.
    if (problem !== undefined) {
      return new undici.Agent({ connect: (_options, callback) => callback(new Error(problem), null) })
    }
    const variables = yield* Proxy.variables
    return variables.isObeyed ? throughProxies(undici, variables) : new undici.Agent()
  }),
  closed
)

/** Unlike fetch, undici sends no user agent, and some firewalls turn away requests without one. */
const named = HttpClient.mapRequest(HttpClientRequest.setHeader("user-agent", "tallystick"))

const through = <R>(dispatcher: Effect.Effect<Undici.Dispatcher, never, R>) =>
  Effect.provideServiceEffect(NodeHttpClient.makeUndici, NodeHttpClient.Dispatcher, dispatcher)

export const client = Effect.gen(function*() {
  const usual = yield* through(dispatcher)
  const direct = yield* through(past)
  return named(HttpClient.makeWith(
    (request: Effect.Effect<HttpClientRequest.HttpClientRequest>) =>
      Effect.flatMap(PastProxies, (isPast) => (isPast ? direct : usual).postprocess(request)),
    Effect.succeed
  ))
})
