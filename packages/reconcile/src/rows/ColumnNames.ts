/** Judges the names of columns: none stands twice, and none is passed over that is nearly one which would be read. */
import * as Excerpt from "./Excerpt.ts"

/** A name without case, accents, spaces and signs. */
const core = (name: string): string => name.normalize("NFKD").toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Returns why nobody can tell which column is meant; undefined where everybody can. `known` are the columns that are read. */
export const problem = (columns: ReadonlyArray<string>, known: ReadonlyArray<string>): string | undefined => {
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined) return `two columns are named "${Excerpt.of(twice)}"`
  for (const column of columns) {
    const meant = known.includes(column) ? undefined : known.find((name) => core(name) === core(column))
    if (meant === undefined) continue
    return `the column "${Excerpt.of(column)}" would not be read; name it "${meant}" if that is what it holds, and ` +
      "otherwise something that looks less like it"
  }
  return undefined
}
