/** JSON as text: values whose ids keep their digits, and the elements of an array with their places. */
import * as Result from "effect/Result"
import * as JsonSyntax from "./JsonSyntax.ts"

/** Ids that came as numbers; `JSON.parse` alone would round them from 2^53 on. Amounts stay numbers, to be refused. */
const exactIds = (key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  (key === "tranId" || key === "id") && typeof value === "number" ? context?.source ?? value : value

const numericId = /"(?:tranId|id)"\s*:\s*[-\d]/

/** The value, or what is wrong with the text and where in it; lines are counted elsewhere. */
export const parse = (text: string): Result.Result<unknown, string> =>
  Result.try({
    try: (): unknown => (numericId.test(text) ? JSON.parse(text, exactIds) : JSON.parse(text)),
    catch: () => JsonSyntax.problem(text)
  })

export interface Element {
  readonly text: string
  /** Of its first character, from 1. */
  readonly line: number
}

export interface Elements {
  readonly elements: ReadonlyArray<Element>
  /** What is wrong with the array as a whole, and the line where. */
  readonly problem: { readonly reason: string; readonly line: number; readonly text: string } | undefined
}

const QUOTE = 34
const BACKSLASH = 92
const NEWLINE = 10

const isOpening = (code: number): boolean => code === 123 || code === 91
const isClosing = (code: number): boolean => code === 125 || code === 93

/** Where the string that begins at `start` ends: behind its closing quote, or at the end of the text. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at + 1
}

/** Splits an array into the texts of its elements, without judging them. `start` is the place of its `[`. */
export const elements = (text: string, start: number): Elements => {
  const found: Array<Element> = []
  let line = 1
  let counted = 0
  const lineAt = (place: number): number => {
    for (; counted < place; counted++) if (text.charCodeAt(counted) === NEWLINE) line++
    return line
  }
  const take = (from: number, to: number): void => {
    const element = text.slice(from, to)
    const trimmed = element.trim()
    if (trimmed === "") return
    found.push({ text: trimmed, line: lineAt(from + element.length - element.trimStart().length) })
  }
  let depth = 0
  let begin = start + 1
  for (let at = start + 1; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      continue
    }
    if (isOpening(code)) depth++
    else if (isClosing(code)) {
      if (depth === 0) {
        take(begin, at)
        return { elements: found, problem: undefined }
      }
      depth--
    } else if (code === 44 && depth === 0) {
      take(begin, at)
      begin = at + 1
    }
    at++
  }
  const rest = text.slice(begin).trim()
  const endLine = lineAt(rest === "" ? begin : text.indexOf(rest, begin))
  return {
    elements: found,
    problem: { reason: "the array does not end; records may be missing", line: endLine, text: rest }
  }
}
