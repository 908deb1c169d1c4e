/** The names of the columns of a CSV file: none stands twice, and none is passed over that is nearly one which would be read. */
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as Excerpt from "../text/Excerpt.ts"

/** A name without case, accents, spaces and signs. */
const core = (name: string): string => name.normalize("NFKD").toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Fails where nobody can tell which column is meant. `known` are those that are read. */
export const check = (
  file: string,
  columns: ReadonlyArray<string>,
  known: ReadonlyArray<string>
): Effect.Effect<void, Failure.Failure> => {
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined) {
    return Effect.fail(Failure.usage(`${file}, line 1: two columns are named "${Excerpt.of(twice)}"`))
  }
  for (const column of columns) {
    const meant = known.includes(column) ? undefined : known.find((name) => core(name) === core(column))
    if (meant === undefined) continue
    return Effect.fail(Failure.usage(
      `${file}, line 1: the column "${
        Excerpt.of(column)
      }" would not be read; name it "${meant}" if that is what it holds, and ` +
        "otherwise something that looks less like it"
    ))
  }
  return Effect.void
}
