/** Decides whose requests the sandbox's own endpoints answer: those of programs and of its own pages. */

/** The headers of a request that tell where it comes from. */
export interface Asking {
  readonly headers: Readonly<Record<string, string | undefined>>
}

const isOwnOrigin = (origin: string, port: number): boolean =>
  ["127.0.0.1", "localhost", "[::1]"].some((name) => origin === `http://${name}:${port}`)

/** Whether the request does not come from another site's page. Programs that are no browsers send neither header. */
export const asks = ({ headers }: Asking, port: number): boolean => {
  const { origin, "sec-fetch-site": site } = headers
  return (origin === undefined || isOwnOrigin(origin, port)) &&
    (site === undefined || site === "same-origin" || site === "none")
}
