/** The code of the operating system or of a library for a failure, such as ECONNREFUSED. Its messages may hold secrets, and are not told. */
import * as Predicate from "effect/Predicate"

/** Finds the code of an error or of what caused it, down to so many causes. */
export const find = (error: unknown, depth = 8): string | undefined => {
  if (depth === 0 || !Predicate.isObject(error)) return undefined
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  return Predicate.hasProperty(error, "cause") ? find(error.cause, depth - 1) : undefined
}

/** The code behind words, in parentheses; the words alone where there is none. */
export const behind = (words: string, error: unknown): string => {
  const code = find(error)
  return code === undefined ? words : `${words} (${code})`
}
