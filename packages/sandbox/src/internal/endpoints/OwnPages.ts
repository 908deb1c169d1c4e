/** Whose requests the sandbox's own endpoints answer: programs', and those of its own pages. */

/** A request as far as it tells who asks. */
export interface Asking {
  readonly headers: Readonly<Record<string, string | undefined>>
}

const isOwnOrigin = (origin: string, port: number): boolean =>
  ["127.0.0.1", "localhost", "[::1]"].some((name) => origin === `http://${name}:${port}`)

/** Whether no other site's page asks. Programs that are no browsers send neither header. */
export const asks = ({ headers }: Asking, port: number): boolean => {
  const { origin, "sec-fetch-site": site } = headers
  return (origin === undefined || isOwnOrigin(origin, port)) &&
    (site === undefined || site === "same-origin" || site === "none")
}
