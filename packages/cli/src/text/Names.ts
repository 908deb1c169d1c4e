/** The names of some things in a sentence: the first ones, and how many more there are. */
import * as Text from "@tallystick/report/text/Text"

/** The most names that a sentence lists. */
const MOST = 5

/** `sub00001, sub00002 and sub00003`, or the first five `and 7 more`. */
export const some = (names: ReadonlyArray<string>): string =>
  names.length > MOST
    ? `${names.slice(0, MOST).join(", ")} and ${Text.count(names.length - MOST)} more`
    : Text.listed(names)
