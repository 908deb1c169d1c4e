/**
 * Where a JSON text is wrong: the place where it stops being JSON, and keys that stand in an object twice, of which
 * `JSON.parse` takes the last. Nothing of the text is told but keys: what the engine says quotes it.
 */
import * as Result from "effect/Result"

/** What must come where something else came. */
type Wanted = "a value" | "a key in double quotes" | `"${string}"` | `"," or "${"}" | "]"}"` | "nothing more"

/** A place is a number of UTF-16 units, from 0. */
interface Stray {
  readonly at: number
  readonly wanted: Wanted
}

interface Repeated {
  readonly at: number
  readonly key: string
}

interface Scan {
  readonly stray: Stray | undefined
  readonly repeated: Repeated | undefined
}

const BLANK = /[ \t\n\r]*/y
/** What stands unescaped in a string is no quotation mark, no backslash and no control character. */
const STRING = /"[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uFFFF]*)*"/y
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y

/** Of an object the keys that have come; an array has none. */
type Opened = Set<unknown> | undefined

/** Reads a text once, as far as it is JSON. */
const scan = (text: string): Scan => {
  const open: Array<Opened> = []
  let repeated: Repeated | undefined
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
  const stray = (wanted: Wanted): Scan => {
    take(BLANK)
    return { stray: { at, wanted }, repeated }
  }
  /** A key and its colon; what is missing of them. */
  const key = (keys: Set<unknown>): Wanted | undefined => {
    take(BLANK)
    const start = at
    const token = take(STRING)
    if (token === undefined) return "a key in double quotes"
    const name: unknown = JSON.parse(token)
    if (keys.has(name)) repeated ??= { at: start, key: String(name) }
    keys.add(name)
    return is(":") ? undefined : "\":\""
  }
  for (;;) {
    // A value begins here.
    let isWhole = true
    if (is("{")) {
      const keys = new Set()
      if (!is("}")) {
        open.push(keys)
        const missing = key(keys)
        if (missing !== undefined) return stray(missing)
        isWhole = false
      }
    } else if (is("[")) {
      if (!is("]")) {
        open.push(undefined)
        isWhole = false
      }
    } else if ((take(STRING) ?? take(ATOM)) === undefined) return stray("a value")
    // A value ends here, and with it perhaps what it stands in.
    while (isWhole && open.length > 0) {
      const keys = open.at(-1)
      if (is(",")) {
        const missing = keys === undefined ? undefined : key(keys)
        if (missing !== undefined) return stray(missing)
        isWhole = false
      } else if (is(keys === undefined ? "]" : "}")) open.pop()
      else return stray(keys === undefined ? "\",\" or \"]\"" : "\",\" or \"}\"")
    }
    if (isWhole) {
      take(BLANK)
      return at < text.length ? stray("nothing more") : { stray: undefined, repeated }
    }
  }
}

const placeOf = (text: string, at: number): string => {
  const before = text.slice(0, at).split("\n")
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** What is wrong with a text that is no JSON: `wanted: a value at character 12`. */
export const problem = (text: string): string => {
  const { at, wanted } = scan(text).stray ?? { at: text.length, wanted: "nothing more" }
  return `wanted: ${wanted} at character ${at + 1}`
}

export interface Problem {
  /** `line 3, column 7`. */
  readonly place: string
  readonly reason: string
}

/** The value of a text in which no key stands twice, or what is wrong and where. A byte order mark is passed over. */
export const parse = (marked: string): Result.Result<unknown, Problem> => {
  const text = marked.replace(/^\uFEFF/, "")
  const value = Result.try((): unknown => JSON.parse(text))
  const { repeated, stray } = scan(text)
  if (Result.isFailure(value)) {
    const { at, wanted } = stray ?? { at: text.length, wanted: "nothing more" }
    return Result.fail({ place: placeOf(text, at), reason: `not valid JSON: wanted: ${wanted}` })
  }
  return repeated === undefined
    ? Result.succeed(value.success)
    : Result.fail({ place: placeOf(text, repeated.at), reason: `${repeated.key} stands here for the second time` })
}
