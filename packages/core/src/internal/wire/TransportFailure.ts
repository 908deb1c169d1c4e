/**
 * Reads a transport's errors about a request that got no answer. These errors may carry the request, so they
 * are not passed on.
 */

const property = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) as unknown : undefined

const text = (value: unknown): string => typeof value === "string" ? value.trim() : ""

/** Returns an error and its causes, in this order. It stops after eight, because an error may be its own cause. */
const chain = (error: unknown, depth = 8): ReadonlyArray<unknown> =>
  error === undefined || depth === 0 ? [] : [error, ...chain(property(error, "cause"), depth - 1)]

/** Returns the errors of the attempts on each address of a host, where one error stands for all of them. */
const parts = (error: unknown): ReadonlyArray<unknown> => {
  const errors = property(error, "errors")
  return Array.isArray(errors) ? errors : []
}

/**
 * Whether no connection was made. The code alone does not tell: a read from an open connection fails with `EHOSTUNREACH` too,
 * when the network goes away after the request has left.
 */
const neverConnected = (error: unknown): boolean => {
  const addresses = parts(error)
  if (addresses.length > 0) return addresses.every(neverConnected)
  const syscall = property(error, "syscall")
  return syscall === "connect" || syscall === "getaddrinfo" || property(error, "code") === "UND_ERR_CONNECT_TIMEOUT"
}

/** Returns the first code along the chain of causes, and whether the request certainly never left. */
export const coded = (failure: unknown): { readonly code: string; readonly neverConnected: boolean } | undefined => {
  for (const error of chain(failure)) {
    const code = property(error, "code")
    if (typeof code === "string") return { code, neverConnected: neverConnected(error) }
  }
  return undefined
}

/** Returns the message of an error without the query of any URL, and without a user name and password in one. */
const message = (error: unknown): string =>
  (text(error) || text(property(error, "message")) || parts(error).map(message).join("; "))
    .replace(/\?\S+/gu, "?…")
    .replace(/\/\/\S*@/gu, "//")

/** Joins the messages along the chain of causes. */
export const words = (failure: unknown): string =>
  [...new Set(chain(failure).map(message))].filter((message) => message !== "").join(": ")
