/** JSON that cannot drive a terminal either: what is invisible there is written as an escape, and reads back the same. */
import * as Formatter from "effect/Formatter"
import * as Result from "effect/Result"

/** Nearly every text has none of these, and is done. */
const beyondAscii = /[^\n\u0020-\u007e]/

/** What `JSON.stringify` leaves as it is: DEL, C1 controls, bidirectional and other invisible characters, separators. */
const invisible = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

const escape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
  ).join("")

/** The source's own record may be anything; one that JSON cannot hold, as a cycle or a bigint, is written as a text. */
const withText = (_: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("record" in value)) return value
  const { record } = value
  return Result.isSuccess(Result.try(() => JSON.stringify(record)))
    ? value
    : { ...value, record: Formatter.format(record) }
}

/** The value as JSON on one line, or indented. Strings and keys may be anybody's. */
export const stringify = (value: unknown, indent?: number): string => {
  const text = Result.getOrElse(
    Result.try(() => JSON.stringify(value, undefined, indent)),
    () => JSON.stringify(value, withText, indent)
  )
  return beyondAscii.test(text) ? text.replace(invisible, escape) : text
}
