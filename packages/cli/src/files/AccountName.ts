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
  return name.startsWith("#")
    ? `the name of an account begins with #: "${name}"; a list of accounts takes no comments, so take this out`
    : undefined
}

const refused = (source: string, problem: string | undefined): Effect.Effect<void, Failure.Failure> =>
  problem === undefined ? Effect.void : Effect.fail(Failure.usage(`${source}: ${problem}`))

/** Refuses a name that can be none, with its place in the file. */
export const checked = (name: string, source: string): Effect.Effect<string, Failure.Failure> =>
  Effect.as(refused(source, problemOf(name)), name)

/** Refuses a line that can be no name, with its place in the file. A row of a table is no name, and has several blanks in a row. */
export const checkedLine = (line: string, source: string): Effect.Effect<string, Failure.Failure> =>
  Effect.andThen(
    refused(
      source,
      /\s{2}/.test(line)
        ? `"${line}" is a row of a table and no name; write one name a line, or take what tallystick accounts --format json writes`
        : undefined
    ),
    checked(line, source)
  )
