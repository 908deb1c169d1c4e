/** HTTP by undici's own interface. Loaded only where something is sent. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Node's own switch: with `1`, HTTP_PROXY, HTTPS_PROXY and NO_PROXY are obeyed. */
const usesProxies = Config.String("NODE_USE_ENV_PROXY").pipe(
  Effect.orElseSucceed(() => ""),
  Effect.map((value) => value === "1")
)

const dispatcher = Effect.acquireRelease(
  Effect.gen(function*() {
    const { Agent, EnvHttpProxyAgent } = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
    return (yield* usesProxies) ? new EnvHttpProxyAgent() : new Agent()
  }),
  (dispatcher) => Effect.promise(() => dispatcher.destroy())
)

/** Unlike fetch, undici sends no name, and there are firewalls that turn away who has no name. */
const named = HttpClient.mapRequest(HttpClientRequest.setHeader("user-agent", "tallystick"))

export const client = NodeHttpClient.makeUndici.pipe(
  Effect.map(named),
  Effect.provideServiceEffect(NodeHttpClient.Dispatcher, dispatcher)
)
