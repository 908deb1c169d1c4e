/** The proxy that the command goes through: keys are linked to addresses, so it matters where a request comes from. */
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as Configured from "./Configured.ts"

/** Node's own switch: with `1`, the variables of proxies are obeyed. */
export const SWITCH = "NODE_USE_ENV_PROXY"

/** A proxy's address without what it may carry besides: credentials, a path. */
export const told = (address: string): string => {
  const url = URL.parse(address)
  return url === null || url.host === ""
    ? "an address that is none" :
    `${url.protocol}//${url.host}`
}

const SCHEMES = new Set(["http:", "https:", "socks5:", "socks:"])

/** Tells whether the transport can use the address; it refuses credentials with a stray percent sign. */
const isUsable = (address: string): boolean => {
  const url = URL.parse(address)
  if (url === null || url.host === "" || !SCHEMES.has(url.protocol)) return false
  try {
    decodeURIComponent(`${url.username}:${url.password}`)
    return true
  } catch {
    return false
  }
}

const first = Effect.fnUntraced(function*(...names: ReadonlyArray<string>) {
  for (const name of names) {
    const value = yield* Configured.environmental(name)
    if (value !== undefined) return { name, value }
  }
  return undefined
})

/** The variables of proxies that hold something; for https that of http holds where it has none of its own. */
export const variables = Effect.gen(function*() {
  const http = yield* first("http_proxy", "HTTP_PROXY")
  return {
    isObeyed: (yield* Configured.environmental(SWITCH)) === "1",
    http,
    https: (yield* first("https_proxy", "HTTPS_PROXY")) ?? http,
    except: yield* first("no_proxy", "NO_PROXY")
  }
})

/** The problem of the variables that are obeyed. It shows no address, because an address may hold a password. */
export const problem = Effect.gen(function*() {
  const { http, https, isObeyed } = yield* variables
  const bad = isObeyed ? [http, https].find((proxy) => proxy !== undefined && !isUsable(proxy.value)) : undefined
  return bad === undefined
    ? undefined
    : `${bad.name} is not the address of a proxy; set it to http://, https:// or socks5:// with a host and a port`
})

/** Fails where no request can be sent because of that problem. */
export const judged: Effect.Effect<void, Failure.Failure> = Effect.flatMap(
  problem,
  (problem) => problem === undefined ? Effect.void : Effect.fail(Failure.usage(problem))
)

/** For this base URL, in a few words; nothing where there is no proxy to speak of. */
export const describe = Effect.fnUntraced(function*(baseUrl: string) {
  const { except, http, https, isObeyed } = yield* variables
  const proxy = URL.parse(baseUrl)?.protocol === "http:" ? http : https
  if (proxy === undefined) return undefined
  if (!isObeyed) return `past the proxy of ${proxy.name}, since ${SWITCH}=1 is not set`
  const wrong = yield* problem
  if (wrong !== undefined) return `nowhere, because ${wrong}`
  return `through the proxy ${told(proxy.value)} of ${proxy.name}` +
    (except === undefined ? "" : `, but for what ${except.name} names`)
})

/** The same for a request that failed; nothing where it did not go through a proxy. */
export const behind = Effect.fnUntraced(function*(url: string) {
  const { isObeyed } = yield* variables
  return isObeyed ? yield* describe(url) : undefined
})
