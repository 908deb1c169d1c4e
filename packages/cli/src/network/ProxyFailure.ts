/** Requests that a proxy stopped: told apart from those that the service did not answer, by what the transport says of them. */

/** The words of the transport for a proxy that it could not reach; the cause follows them. */
export const unreached = (proxy: string): string => `no connection to the proxy ${proxy}`

/** In which way a proxy stopped a request. */
export type ProxyFailure =
  | { readonly kind: "unreached"; readonly proxy: string }
  /** It answered the wish for a tunnel, but opened none. */
  | { readonly kind: "refused"; readonly status: number }
  /** It closed the connection instead of an answer. */
  | { readonly kind: "closed" }

const patterns = {
  unreached: new RegExp(`^${unreached("(\\S+)")}(?::|$)`),
  refused: /^Proxy response \((\d+)\) !== 200 when HTTP Tunneling|^Proxy Authentication Required \((407)\)/,
  closed: /^Proxy Connection failed/i
}

/** Reads the `cause` of an `Unavailable`; nothing where no proxy is to blame. */
export const read = (cause: string): ProxyFailure | undefined => {
  const unreached = patterns.unreached.exec(cause)
  if (unreached !== null) return { kind: "unreached", proxy: unreached[1] ?? "" }
  const refused = patterns.refused.exec(cause)
  if (refused !== null) return { kind: "refused", status: Number(refused[1] ?? refused[2]) }
  return patterns.closed.test(cause) ? { kind: "closed" } : undefined
}
