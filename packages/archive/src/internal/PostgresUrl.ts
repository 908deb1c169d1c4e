/** The address of a PostgreSQL database, and what of it may be told. */
import * as Option from "effect/Option"

const PORT = "5432"

/** What is wanted where an address is not one; it holds a password, so that it is never shown itself. */
export const WANTED = "postgres://user:password@host:port/database, with %-codes for / @ : ? and # in the password"

/** `PostgreSQL host:port/database`; none where the address is no PostgreSQL address, or part of a password may stand in the place of the database. */
export const place = (address: string): Option.Option<string> => {
  if (!URL.canParse(address)) return Option.none()
  const url = new URL(address)
  if (!["postgres:", "postgresql:"].includes(url.protocol)) return Option.none()
  // Behind a / ? or # that should have been a %-code the end of the password and the @ stand elsewhere.
  if (url.hash !== "" || url.pathname.includes("@") || url.search.includes("@")) return Option.none()
  const query = (name: string) => url.searchParams.get(name) ?? ""
  const host = query("host") || url.hostname || "localhost"
  const port = query("port") || url.port || PORT
  const database = query("dbname") || url.pathname.slice(1) || query("user") || url.username
  return Option.some(`PostgreSQL ${host}:${port}/${database}`)
}
