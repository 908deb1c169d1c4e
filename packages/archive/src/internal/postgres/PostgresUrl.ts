/** The address of a PostgreSQL database holds a password; this module says which parts of it may be told. */
import * as Option from "effect/Option"

const PORT = "5432"

/** An error shows this pattern where an address is not one; the address itself holds a password, and is never shown. */
export const WANTED = "postgres://user:password@host:port/database, with %-codes for / @ : ? and # in the password"

/** These parameters say where a database is and how it is reached. Any other one may hold a secret. */
const HARMLESS = [
  "host",
  "hostaddr",
  "port",
  "user",
  "dbname",
  "sslmode",
  "sslrootcert",
  "channel_binding",
  "connect_timeout",
  "target_session_attrs"
]

/**
 * Tells whether the parts of an address may be mixed up: part of a password may stand here, or another address, or parameters
 * behind a wrong sign. A user may have an @ in the name.
 */
const isMixedUp = ({ hash, pathname, search, searchParams, username }: URL): boolean => {
  const values = HARMLESS.filter((name) => name !== "user").flatMap((name) => searchParams.getAll(name))
  return hash !== "" || search.includes("@") ||
    [pathname, ...values].some((text) => /[@=?&#;]|%(?:40|3[b-df]|2[36])/i.test(text)) ||
    [username, ...searchParams.getAll("user")].some((text) => /:|%3a/i.test(text))
}

/** A client quotes what it does not understand of these; the value may be a secret that was put there. */
const UNDERSTOOD: ReadonlyArray<readonly [name: string, values: RegExp]> = [
  ["sslmode", /^(?:disable|allow|prefer|require|verify-ca|verify-full)$/],
  ["connect_timeout", /^\d*$/],
  ["port", /^\d*$/]
]

const isUnderstood = ({ searchParams }: URL): boolean =>
  UNDERSTOOD.every(([name, values]) => searchParams.getAll(name).every((value) => values.test(value)))

const parse = (address: string): URL | undefined => {
  const url = URL.parse(address)
  return url !== null && ["postgres:", "postgresql:"].includes(url.protocol) && !isMixedUp(url) && isUnderstood(url)
    ? url
    : undefined
}

/**
 * Gives `PostgreSQL host:port/database`, or none where the address is no PostgreSQL address, or a secret may stand in the place
 * of something else.
 */
export const place = (address: string): Option.Option<string> => {
  const url = parse(address)
  if (url === undefined) return Option.none()
  const query = (name: string) => url.searchParams.get(name) ?? ""
  const host = query("host") || url.hostname || "localhost"
  const port = query("port") || url.port || PORT
  const database = query("dbname") || url.pathname.slice(1) || query("user") || url.username
  return Option.some(`PostgreSQL ${host}:${port}/${database}`)
}

/**
 * Gives the address for other programs, without the password and without every parameter that may hold a secret; none where
 * `place` has none.
 */
export const withoutSecrets = (address: string): Option.Option<string> => {
  const url = parse(address)
  if (url === undefined) return Option.none()
  url.password = ""
  url.search = Array.from(url.searchParams)
    .filter(([name]) => HARMLESS.includes(name))
    // Other programs take a + for itself.
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")
  return Option.some(url.href)
}
