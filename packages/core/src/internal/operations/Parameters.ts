/**
 * Checks parameters before anything is sent. A violation names the parameter, the value that came, and the values that are
 * allowed.
 */
import * as Url from "effect/http/Url"
import * as Result from "effect/Result"
import * as BrokerError from "../../BrokerError.ts"

/** The violation that a check found, or nothing. */
export type Check = BrokerError.InvalidParameter | undefined

const show = (value: unknown): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

const violation = (parameter: string, actual: unknown, allowed: string) =>
  new BrokerError.InvalidParameter({ parameter, actual: show(actual), allowed })

export const check = (holds: boolean, parameter: string, actual: unknown, allowed: string): Check =>
  holds ? undefined : violation(parameter, actual, allowed)

/** Returns the first violation. */
export const first = (checks: Iterable<Check>): Check => {
  for (const found of checks) {
    if (found !== undefined) return found
  }
  return undefined
}

export const notEmpty = (parameter: string, value: string): Check =>
  check(value.trim() !== "", parameter, value, "a text that is not empty")

/** Checks a whole number from `least` to `most`, or its absence. */
export const integer = (parameter: string, value: number | undefined, least: number, most: number): Check =>
  check(
    value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most),
    parameter,
    value,
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`
  )

/** Checks that both ends are Unix ms and that the start comes before the end. */
export const range = (startTime: number | undefined, endTime: number | undefined): Check =>
  first([
    integer("startTime", startTime, 0, Number.MAX_SAFE_INTEGER),
    integer("endTime", endTime, 0, Number.MAX_SAFE_INTEGER),
    check(
      startTime === undefined || endTime === undefined || startTime < endTime,
      "startTime",
      startTime,
      `a time before endTime (${endTime})`
    )
  ])

const isIPv4 = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) &&
  text.split(".").every((part) => Number(part) <= 255 && (part.length === 1 || !part.startsWith("0")))

const isIPv6 = (text: string): boolean =>
  /^[0-9a-f:.]+$/i.test(text) && text.includes(":") &&
  Result.isSuccess(Url.fromString(`http://[${text}]/`))

export const ip = (text: string): Check =>
  check(isIPv4(text) || isIPv6(text), "ip", text, "an IPv4 or IPv6 address without a prefix length or zone")
