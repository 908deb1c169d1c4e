/**
 * What the name of an account in a file may be. One that the exchange does not know would be asked for without an answer that
 * says so: it would be read as an account without transfers.
 */
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"

const problemOf = (name: string): string | undefined => {
  if (name.trim() === "") return "the name of an account is blank"
  if (name !== name.trim()) {
    return `the name of an account begins or ends with a blank: "${name}"; write it as the exchange does`
  }
  if (/\s{2}/.test(name)) {
    return `"${name}" is a row of a table and no name; write one name a line, or take what tallystick accounts --format json writes`
  }
  return name.startsWith("#")
    ? `the name of an account begins with #: "${name}"; a list of accounts takes no comments, so take this out`
    : undefined
}

/** Refuses a name that can be none, with its place in the file. */
export const checked = (name: string, source: string): Effect.Effect<string, Failure.Failure> => {
  const problem = problemOf(name)
  return problem === undefined ? Effect.succeed(name) : Effect.fail(Failure.usage(`${source}: ${problem}`))
}
