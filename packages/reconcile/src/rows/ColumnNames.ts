/** Judges the names of columns and fields: none stands twice, and none is passed over that is nearly one which would be read. */
import * as Excerpt from "./Excerpt.ts"

/** A name without case, accents, spaces and signs. */
const core = (name: string): string => name.normalize("NFKD").toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Of a name that is shorter, another letter makes another word. */
const SHORTEST = 4

/** Returns what is left of both texts without their common beginning and their common end. */
const differing = (left: string, right: string): readonly [string, string] => {
  const least = Math.min(left.length, right.length)
  let start = 0
  while (start < least && left[start] === right[start]) start++
  let end = 0
  while (end < least - start && left.at(-1 - end) === right.at(-1 - end)) end++
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)]
}

/** Whether one letter was added, left out or replaced, or two neighbours were swapped. */
const isMisspelt = (written: string, meant: string): boolean => {
  if (meant.length < SHORTEST) return false
  const [left, right] = differing(written, meant)
  return (left.length <= 1 && right.length <= 1) ||
    (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
}

/**
 * Returns which of the known names a name that is none of them may mean: those that differ from it in case, spaces and signs only, and
 * where there are none those that differ in one letter.
 */
export const meanings = (name: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = core(name)
  const same = known.filter((one) => core(one) === own)
  return same.length > 0 ? same : known.filter((one) => isMisspelt(own, core(one)))
}

/** Says that a column or field would not be read, and what its name seems to mean. */
export const unread = (what: string, name: string, field: string): string =>
  `the ${what} "${Excerpt.of(name)}" would not be read; name it "${field}" if that is what it holds, and ` +
  "otherwise something that looks less like it"

/** Returns why nobody can tell which column is meant; undefined where everybody can. `known` are the columns that are read. */
export const problem = (columns: ReadonlyArray<string>, known: ReadonlyArray<string>): string | undefined => {
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined) return `two columns are named "${Excerpt.of(twice)}"`
  const given = new Set(columns.map(core))
  for (const column of columns) {
    // Beside a column that is read, one that is misspelt is another.
    const field = known.includes(column)
      ? undefined
      : meanings(column, known).find((field) => core(field) === core(column) || !given.has(core(field)))
    if (field !== undefined) return unread("column", column, field)
  }
  return undefined
}
