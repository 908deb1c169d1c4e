/**
 * Where a JSON text is wrong: the place where it stops being JSON, and keys that stand in an object twice. Nothing of the text
 * is told but keys: what the engine says quotes it.
 */
import * as JsonShape from "@tallystick/core/JsonShape"
import * as Result from "effect/Result"

/** The token that JSON wants where another one came. */
type Wanted = "a value" | "a key in double quotes" | `"${string}"` | `"," or "${"}" | "]"}"` | "nothing more"

/** A place is a number of UTF-16 units, from 0. */
interface Stray {
  readonly at: number
  readonly wanted: Wanted
}

const BLANK = /[ \t\n\r]*/y
/** A string holds no unescaped quotation mark, backslash or control character. */
const STRING = /"[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uFFFF]*)*"/y
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y

/** Reads a text once, as far as it is JSON; undefined when all of it is. */
const scan = (text: string): Stray | undefined => {
  const open: Array<"object" | "array"> = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [token] = pattern.exec(text) ?? []
    at += token?.length ?? 0
    return token
  }
  const is = (char: string): boolean => {
    take(BLANK)
    if (text[at] !== char) return false
    at++
    return true
  }
  const stray = (wanted: Wanted): Stray => {
    take(BLANK)
    return { at, wanted }
  }
  /** A key and its colon; what is missing of them. */
  const key = (): Wanted | undefined => {
    take(BLANK)
    if (take(STRING) === undefined) return "a key in double quotes"
    return is(":") ? undefined : "\":\""
  }
  for (;;) {
    // A value begins here.
    let isWhole = true
    if (is("{")) {
      if (!is("}")) {
        open.push("object")
        const missing = key()
        if (missing !== undefined) return stray(missing)
        isWhole = false
      }
    } else if (is("[")) {
      if (!is("]")) {
        open.push("array")
        isWhole = false
      }
    } else if ((take(STRING) ?? take(ATOM)) === undefined) return stray("a value")
    // A value ends here, and with it perhaps what it stands in.
    while (isWhole && open.length > 0) {
      const isArray = open.at(-1) === "array"
      if (is(",")) {
        const missing = isArray ? undefined : key()
        if (missing !== undefined) return stray(missing)
        isWhole = false
      } else if (is(isArray ? "]" : "}")) open.pop()
      else return stray(isArray ? "\",\" or \"]\"" : "\",\" or \"}\"")
    }
    if (isWhole) {
      take(BLANK)
      return at < text.length ? stray("nothing more") : undefined
    }
  }
}

/** Nothing that this program reads needs as many. */
export const TOO_DEEP = `nested deeper than ${JsonShape.DEEPEST} levels`

const placeOf = (text: string, at: number): string => {
  const before = text.slice(0, at).split("\n")
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** The problem of a text that is no JSON: `wanted: a value at character 12`. */
export const problem = (text: string): string => {
  const { at, wanted } = scan(text) ?? { at: text.length, wanted: "nothing more" }
  return `wanted: ${wanted} at character ${at + 1}`
}

export interface Problem {
  /** `line 3, column 7`. */
  readonly place: string
  readonly reason: string
}

/** The value of a text that is not nested too deeply and in which no key stands twice, or what is wrong and where. A byte order mark is passed over. */
export const parse = (marked: string): Result.Result<unknown, Problem> => {
  const text = marked.replace(/^\uFEFF/, "")
  const deep = JsonShape.tooDeep(text)
  if (deep !== undefined) return Result.fail({ place: placeOf(text, deep), reason: TOO_DEEP })
  const value = Result.try((): unknown => JSON.parse(text))
  if (Result.isFailure(value)) {
    const { at, wanted } = scan(text) ?? { at: text.length, wanted: "nothing more" }
    return Result.fail({ place: placeOf(text, at), reason: `not valid JSON: wanted: ${wanted}` })
  }
  const repeated = JsonShape.repeated(text)
  return repeated === undefined
    ? Result.succeed(value.success)
    : Result.fail({ place: placeOf(text, repeated.at), reason: `${repeated.key} stands here for the second time` })
}
