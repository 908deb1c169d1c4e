/** Writes JSON that is safe for a terminal, too: invisible characters become escapes, which read back as the same text. */
import * as Formatter from "effect/Formatter"
import * as Result from "effect/Result"

/** Tests for such characters first, because nearly every text has none. */
const beyondAscii = /[^\n\u0020-\u007e]/

/**
 * Matches characters that `JSON.stringify` leaves as they are: DEL, C1 controls, bidirectional and other invisible
 * characters, separators.
 */
const invisible = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

const escape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
  ).join("")

/**
 * Writes the source's own record, which may be any value. A value that JSON cannot hold, such as a cycle or a bigint, is
 * written as text.
 */
const withText = (_: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("record" in value)) return value
  const { record } = value
  return Result.isSuccess(Result.try(() => JSON.stringify(record)))
    ? value
    : { ...value, record: Formatter.format(record) }
}

/** Writes a value as JSON on one line, or indented. Strings and keys may be a stranger's. */
export const stringify = (value: unknown, indent?: number): string => {
  const text = Result.getOrElse(
    Result.try(() => JSON.stringify(value, undefined, indent)),
    () => JSON.stringify(value, withText, indent)
  )
  return beyondAscii.test(text) ? text.replace(invisible, escape) : text
}
