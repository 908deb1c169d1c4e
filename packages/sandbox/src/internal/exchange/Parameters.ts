/** Reads single parameters. Each reader gives a value, or the refusal that the service gives. */
import * as Result from "effect/Result"
import { type Checked, malformed, missing, outOfRange } from "./Answer.ts"

export type Parameters = ReadonlyMap<string, string>

/** Reads text that may be absent. Empty text is refused. */
export const text = (
  parameters: Parameters,
  name: string,
  pattern: RegExp,
  wanted: string
): Checked<string | undefined> => {
  const value = parameters.get(name)
  if (value === undefined) return Result.succeed(undefined)
  if (value === "") return missing(name)
  return pattern.test(value) ? Result.succeed(value) : malformed(name, wanted)
}

/** Reads text that must be there. */
export const requiredText = (
  parameters: Parameters,
  name: string,
  pattern: RegExp,
  wanted: string
): Checked<string> =>
  Result.flatMap(
    text(parameters, name, pattern, wanted),
    (value) => value === undefined ? missing(name) : Result.succeed(value)
  )

const digits = /^\d{1,15}$/

/** Reads a whole number of at most 15 digits within bounds, or its absence. */
export const integer = (
  parameters: Parameters,
  name: string,
  bounds: { readonly minimum: number; readonly maximum: number }
): Checked<number | undefined> =>
  Result.flatMap(text(parameters, name, digits, "a whole number is wanted"), (value) => {
    if (value === undefined) return Result.succeed(undefined)
    const number = Number(value)
    return number < bounds.minimum || number > bounds.maximum
      ? outOfRange(name, `between ${bounds.minimum} and ${bounds.maximum}`)
      : Result.succeed(number)
  })

const anyTime = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** Reads `startTime` and `endTime` as they came. */
export const interval = (parameters: Parameters) =>
  Result.gen(function*() {
    const start = yield* integer(parameters, "startTime", anyTime)
    const end = yield* integer(parameters, "endTime", anyTime)
    if (start !== undefined && end !== undefined && start > end) {
      return yield* outOfRange("startTime", "no later than 'endTime'")
    }
    return { start, end }
  })

/** Reads `page` from 1, and `limit` from 1 to the maximum. */
export const paging = (parameters: Parameters, length: { readonly default: number; readonly maximum: number }) =>
  Result.gen(function*() {
    const page = yield* integer(parameters, "page", { minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    const limit = (yield* integer(parameters, "limit", { minimum: 1, maximum: length.maximum })) ?? length.default
    return { page, limit }
  })
