/** Writes commands to copy, so that a shell passes each word on as it is, whatever a stranger wrote in it. */
import * as Text from "../../text/Text.ts"

/** Whether a word can be shown and copied whole: nothing in it is invisible, or breaks the line. */
export const isShown = (word: string): boolean => word !== "" && Text.plain(word) === word

/** Whether a word can be copied as the value of a flag. One that begins with a hyphen is another flag, or no file at all. */
export const isValue = (word: string): boolean => isShown(word) && !word.startsWith("-")

/** Words that no POSIX shell reads otherwise, and that no program takes for a flag. */
const isPlain = /^[A-Za-z0-9_./:@%+,][A-Za-z0-9_./:@%+,-]*$/

/** Returns the word as a POSIX shell takes it: in single quotes where it needs any. */
const quoted = (word: string): string => (isPlain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Returns the command: its flags first, and behind `--` the names that strangers chose, if one may be taken for a flag. */
export const of = (words: ReadonlyArray<string>, names: ReadonlyArray<string> = []): string => {
  const isFlag = names.some((name) => name.startsWith("-"))
  return [
    "tallystick",
    ...words.map((word) => (/^--?[a-z-]+$/.test(word) ? word : quoted(word))),
    ...(isFlag ? ["--"] : []),
    ...names.map(quoted)
  ].join(" ")
}
