/**
 * Estimates what parsing a JSON text costs, and what it loses. Deep nesting costs a hundred times the text's length in memory.
 * Where a key stands twice in one object, `JSON.parse` takes the last. Brackets and commas tell first whether a text needs a
 * closer look, which takes about as long as parsing.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** The most levels of nested objects and arrays that are parsed. A page of records has three. */
export const DEEPEST = 32

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Whether an odd number of backslashes stands before a place, so that the character there is escaped. */
const isEscaped = (text: string, at: number): boolean => {
  let start = at
  while (text.charCodeAt(start - 1) === BACKSLASH) start--
  return (at - start) % 2 === 1
}

/** Returns the index after the string that opens at `start`, or the end of the text where the string does not close. */
export const afterString = (text: string, start: number): number => {
  let at = text.indexOf("\"", start + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf("\"", at + 1)
  return at < 0 ? text.length : at + 1
}

const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d

/** Whether the text before a place, blanks skipped, allows an array or the whole text to begin there. */
const isInList = (text: string, at: number): boolean => {
  let before = at - 1
  while (isBlank(text.charCodeAt(before))) before--
  return before < 0 || text[before] === "[" || text[before] === ","
}

/**
 * Whether a text may have many levels. Where no object stands directly in an object, as in records of the exchange, every second
 * level is an array, so few arrays mean few levels. Brackets in strings count too.
 */
const mayBeDeep = (text: string): boolean => {
  let arrays = 0
  for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) if (++arrays >= DEEPEST / 2) return true
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) if (!isInList(text, at)) return true
  return false
}

/**
 * Returns where a level too many begins, in UTF-16 units from 0; undefined for a text that may be parsed. The text need not be
 * JSON.
 */
export const tooDeep = (text: string): number | undefined => {
  if (!mayBeDeep(text)) return undefined
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = afterString(text, at) - 1
    else if (isClosing(code)) depth--
    else if (isOpening(code) && ++depth > DEEPEST) return at
  }
  return undefined
}

const commasIn = (text: string): number => {
  let found = 0
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) found++
  return found
}

type Parent = ReadonlyArray<unknown> | Readonly<Record<string, unknown>>

const isParent = (value: unknown): value is Parent => typeof value === "object" && value !== null

const isList = (value: Parent): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Counts the commas that separate the parts of a value. Beyond the deepest level it returns NaN, which equals no count. */
const separators = (value: Parent, depth = 1): number => {
  if (depth > DEEPEST) return Number.NaN
  let found = 0
  let parts = 0
  if (isList(value)) {
    for (const part of value) if (isParent(part)) found += separators(part, depth + 1)
    parts = value.length
  } else {
    for (const key in value) {
      const part = value[key]
      if (isParent(part)) found += separators(part, depth + 1)
      parts++
    }
  }
  return found + Math.max(parts - 1, 0)
}

/**
 * Whether a key of this text may stand twice in one object. `value` is the result of `JSON.parse`. Commas in strings give a false
 * alarm.
 */
export const mayRepeat = (text: string, value: unknown): boolean =>
  isParent(value) && commasIn(text) !== separators(value)

/** A key that stands in one object more than once. */
export interface Repeated {
  /** The name of the key. */
  readonly key: string
  /** The place where the key stands for the second time, in UTF-16 units from 0. */
  readonly at: number
}

/** Returns the first key that stands twice in one object, however deep. `text` is valid JSON. */
export const repeated = (text: string): Repeated | undefined => {
  const open: Array<Set<unknown>> = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isOpening(code)) open.push(new Set())
    else if (isClosing(code)) open.pop()
    else if (code === QUOTE) {
      const end = afterString(text, at)
      let next = end
      while (isBlank(text.charCodeAt(next))) next++
      if (text.charCodeAt(next) === COLON) {
        const key: unknown = JSON.parse(text.slice(at, end))
        const keys = open.at(-1)
        if (keys?.has(key) === true) return { key: String(key), at }
        keys?.add(key)
      }
      at = end - 1
    }
  }
  return undefined
}
