/** JSON as text: values whose ids keep their digits, and the elements of an array with their places. */
import * as JsonShape from "@tallystick/core/JsonShape"
import * as Result from "effect/Result"
import * as JsonSyntax from "./JsonSyntax.ts"

/** Ids that came as numbers; `JSON.parse` alone would round them from 2^53 on. Amounts stay numbers, to be refused. */
const exactIds = (key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  (key === "tranId" || key === "id") && typeof value === "number" ? context?.source ?? value : value

const numericId = /"(?:tranId|id)"\s*:\s*[-\d]/

/** The reason against a record in which a key stands twice: it does not say which of the values counts. */
const doubled = (text: string, value: unknown): string | undefined => {
  const repeated = JsonShape.mayRepeat(text, value) ? JsonShape.repeated(text) : undefined
  return repeated === undefined
    ? undefined
    : `${JSON.stringify(repeated.key)} stands twice, again at character ${repeated.at + 1}`
}

/** Also said of an empty place in an array: something that is lost now may have stood there. */
const NOTHING = "not valid JSON: nothing stands here"

/** The value, or what is wrong with the text and where in it; lines are counted elsewhere. */
export const parse = (text: string): Result.Result<unknown, string> => {
  if (text === "") return Result.fail(NOTHING)
  const deep = JsonShape.tooDeep(text)
  if (deep !== undefined) return Result.fail(`${JsonSyntax.TOO_DEEP}, from character ${deep + 1} on`)
  const parsed = Result.try((): unknown => (numericId.test(text) ? JSON.parse(text, exactIds) : JSON.parse(text)))
  if (Result.isFailure(parsed)) return Result.fail(`not valid JSON: ${JsonSyntax.problem(text)}`)
  const problem = doubled(text, parsed.success)
  return problem === undefined ? Result.succeed(parsed.success) : Result.fail(problem)
}

export interface Element {
  readonly text: string
  /** Of its first character, from 1. */
  readonly line: number
}

export interface Elements {
  readonly elements: ReadonlyArray<Element>
  /** The problem of the array as a whole, and its line. */
  readonly problem: { readonly reason: string; readonly line: number; readonly text: string } | undefined
}

const QUOTE = 34
const NEWLINE = 10

/** Another list, or the same key again with another one. */
const MORE = "the array ends here, and more stands behind it; records may be missing"

const AROUND = "what stands around the array is not valid JSON; records may be missing"

/** The problem of a text around the elements of its array: it may hold something before or behind them. */
const around = (before: string, end: string, behind: string): string | undefined => {
  if (/[[{]|"result"\s*:/.test(behind)) return MORE
  return Result.isFailure(Result.try((): unknown => JSON.parse(before + end + behind))) ? AROUND : undefined
}

const isOpening = (code: number): boolean => code === 123 || code === 91
const isClosing = (code: number): boolean => code === 125 || code === 93

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
    found.push({ text: element.trim(), line: lineAt(from + element.length - element.trimStart().length) })
  }
  let depth = 0
  let begin = start + 1
  for (let at = start + 1; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = JsonShape.afterString(text, at)
      continue
    }
    if (isOpening(code)) depth++
    else if (isClosing(code)) {
      if (depth === 0) {
        if (found.length > 0 || text.slice(begin, at).trim() !== "") take(begin, at)
        const rest = text.slice(at + 1).trim()
        const reason = around(text.slice(0, start + 1).trim(), text.charAt(at), rest)
        return {
          elements: found,
          problem: reason === undefined ? undefined : { reason, line: lineAt(at), text: rest }
        }
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
