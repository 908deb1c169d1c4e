/** The proxy that the command goes through: keys are linked to addresses, so it matters where a request comes from. */
import * as Effect from "effect/Effect"
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

/** For this base URL, in a few words; nothing where there is no proxy to speak of. */
export const describe = Effect.fnUntraced(function*(baseUrl: string) {
  const { except, http, https, isObeyed } = yield* variables
  const proxy = URL.parse(baseUrl)?.protocol === "http:" ? http : https
  if (proxy === undefined) return undefined
  if (!isObeyed) return `past the proxy of ${proxy.name}, since ${SWITCH}=1 is not set`
  return `through the proxy ${told(proxy.value)} of ${proxy.name}` +
    (except === undefined ? "" : `, but for what ${except.name} names`)
})
