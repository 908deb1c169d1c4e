/** A command for notices is written as words between spaces, or as a JSON array where a word holds a space. No shell reads it. */
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.NonEmptyArray(Schema.NonEmptyString)))

/** Gives the program and its arguments. */
export const parse = (text: string): Result.Result<readonly [string, ...Array<string>], string> => {
  if (/^\s*\[/.test(text)) {
    return Result.mapError(decode(text), () => "is no JSON array of texts, such as [\"mail\", \"-s\", \"a b\"]")
  }
  const words = text.trim().split(/\s+/)
  if (/["'\\]/.test(text)) {
    return Result.fail(
      "has a quotation mark or a backslash, which no shell reads here; write a JSON array: [\"mail\", \"-s\", \"a b\"]"
    )
  }
  return Arr.isArrayNonEmpty(words) && words[0] !== "" ? Result.succeed(words) : Result.fail("is empty")
}
