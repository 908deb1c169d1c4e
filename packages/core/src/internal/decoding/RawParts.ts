/** Cuts the text of a JSON list into its items as they came. Parsing and printing again would change digits and doubled keys. */
import * as Option from "effect/Option"
import { afterString } from "../../JsonShape.ts"

const QUOTE = 0x22
const COMMA = 0x2c

const opens = (code: number): boolean => code === 0x5b || code === 0x7b
const closes = (code: number): boolean => code === 0x5d || code === 0x7d

/** Returns the items of an array, or the members of an object, as text. `text` is valid JSON. */
const parts = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  let start = 0
  const keep = (end: number) => {
    const part = text.slice(start, end).trim()
    if (part !== "") found.push(part)
    start = end + 1
  }
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = afterString(text, at)
      continue
    }
    if (opens(code) && ++depth === 1) start = at + 1
    else if (closes(code) && --depth === 0) keep(at)
    else if (code === COMMA && depth === 1) keep(at)
    at++
  }
  return found
}

const isList = (text: string): boolean => text.trimStart().startsWith("[")

const keyOf = (member: string): unknown => JSON.parse(member.slice(0, afterString(member, 0)))

/** Returns the value of an object's key. Where the key is doubled the last one counts, as in `JSON.parse`. */
const valueOf = (text: string, key: string): Option.Option<string> =>
  Option.map(
    Option.fromUndefinedOr(parts(text).findLast((member) => keyOf(member) === key)),
    (member) => member.slice(member.indexOf(":", afterString(member, 0)) + 1)
  )

/** Returns the items of a bare list, or of the list under `key`. `text` is valid JSON of one of these two forms. */
export const items = (text: string, key: string): ReadonlyArray<string> =>
  isList(text) ? parts(text) : Option.match(valueOf(text, key), { onNone: () => [], onSome: parts })

/** Counts how often each of these keys stands in an object. A list has no keys. */
export const occurrences = (text: string, keys: ReadonlyArray<string>): ReadonlyArray<number> => {
  const found = isList(text) ? [] : parts(text).map(keyOf)
  return keys.map((key) => found.filter((one) => one === key).length)
}
