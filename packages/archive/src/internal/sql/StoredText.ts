/** A database keeps any text of a stranger, also text that UTF-8 or PostgreSQL cannot hold. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** This mark stands in front of text that is kept as JSON; text that begins so itself is kept as JSON too. */
const MARK = "\u0001"

const MARK_CODE = MARK.charCodeAt(0)

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))

const isMarked = (text: string): boolean => text.charCodeAt(0) === MARK_CODE

/** Texts up to this length are looked at letter by letter, which is faster while they are short. */
const SHORT = 24

const FIRST_SURROGATE = 0xd800

const isCertainlyPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code <= MARK_CODE || code >= FIRST_SURROGATE) return false
  }
  return true
}

const isPlain = (text: string): boolean =>
  (text.length <= SHORT && isCertainlyPlain(text)) ||
  (!isMarked(text) && !text.includes("\0") && text.isWellFormed())

/** Encodes text. PostgreSQL refuses NUL, and half of a surrogate pair would be replaced: both are written as JSON escapes. */
export const encode = (text: string): string => isPlain(text) ? text : MARK + JSON.stringify(text)

/** Decodes text. What `encode` would not have written stays as it is, so that two texts of a database are not taken for one. */
export const decode = (text: string): string =>
  isMarked(text)
    ? decodeJson(text.slice(MARK.length)).pipe(
      Option.filter((decoded) => encode(decoded) === text),
      Option.getOrElse(() => text)
    )
    : text
