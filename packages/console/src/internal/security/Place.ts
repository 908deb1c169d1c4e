/** Where the console is: the names by which its own page and programs reach it. */

/** Names of this machine that lead nowhere else. */
const loopbackNames: ReadonlyArray<string> = ["127.0.0.1", "localhost", "[::1]"]

/** Where the console is reached. */
export interface Place {
  /** `Host` is one of these. */
  readonly hosts: ReadonlySet<string>
  /** `Origin` is one of these, where there is one. */
  readonly origins: ReadonlySet<string>
  /** Whether a proxy stands in front, which tells whose request it passes on. */
  readonly isBehindProxy: boolean
}

/** Tells whether only this machine can reach an address that a server listens at. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/** The place of a console that listens on a port of this machine, perhaps behind a proxy whose origin is `https://books.example`. */
export const make = (port: number, origin?: URL): Place => {
  const own = loopbackNames.map((name) => `${name}:${port}`)
  return {
    hosts: new Set([
      ...own,
      ...origin === undefined ? [] : [origin.host, `${origin.hostname}:${origin.port || "443"}`]
    ]),
    origins: new Set(origin === undefined ? own.map((host) => `http://${host}`) : [origin.origin]),
    isBehindProxy: origin !== undefined
  }
}
