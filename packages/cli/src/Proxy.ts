/** Which proxy the command goes through: keys are linked to addresses, so it matters where a request comes from. */
import * as Effect from "effect/Effect"
import * as Configured from "./config/Configured.ts"

/** Node's own switch: with `1`, the variables of proxies are obeyed. */
export const SWITCH = "NODE_USE_ENV_PROXY"

/** A proxy's address without what it may carry besides: credentials, a path. */
const told = (address: string): string => URL.parse(address)?.origin ?? "an address that is none"

const first = Effect.fnUntraced(function*(...names: ReadonlyArray<string>) {
  for (const name of names) {
    const value = yield* Configured.environmental(name)
    if (value !== undefined) return { name, value }
  }
  return undefined
})

/** For this base URL, in a few words; nothing where there is no proxy to speak of. */
export const describe = Effect.fnUntraced(function*(baseUrl: string) {
  const isPlain = URL.parse(baseUrl)?.protocol === "http:"
  const proxy = yield* isPlain ? first("http_proxy", "HTTP_PROXY") : first("https_proxy", "HTTPS_PROXY")
  if (proxy === undefined) return undefined
  if ((yield* Configured.environmental(SWITCH)) !== "1") {
    return `past the proxy of ${proxy.name}, since ${SWITCH}=1 is not set`
  }
  const except = yield* first("no_proxy", "NO_PROXY")
  return `through the proxy ${told(proxy.value)} of ${proxy.name}` +
    (except === undefined ? "" : `, but for what ${except.name} names`)
})
