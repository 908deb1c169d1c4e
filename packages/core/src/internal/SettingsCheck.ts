/** What settings must be, however they were written. Values are never part of a problem. */
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { UnsignedSettings } from "../BrokerConfig.ts"
import * as Conventions from "../Conventions.ts"
import * as Issue from "./Issue.ts"

const isInteger = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most

const isLasting = (duration: Duration.Duration): boolean => Duration.isFinite(duration) && Duration.isPositive(duration)

const decodeConventions = Schema.decodeUnknownResult(Conventions.Conventions)

const conventions = (settings: Conventions.Conventions): string | undefined => {
  const decoded = decodeConventions(settings)
  if (Result.isFailure(decoded)) return `has a wrong setting: ${Issue.first(decoded.failure).path}`
  if (settings.recvWindow > settings.recvWindowLimit) return "has a recvWindow beyond recvWindowLimit"
  const { depositPage, transferPage } = settings
  if (depositPage.default > depositPage.maximum) return "has a depositPage whose default exceeds its maximum"
  if (transferPage.default > transferPage.maximum) return "has a transferPage whose default exceeds its maximum"
  return undefined
}

/** Each setting that is wrong, by its option, with what is wrong about it. */
export const problems = (settings: UnsignedSettings): ReadonlyArray<readonly [option: string, problem: string]> => {
  const found: Array<readonly [string, string]> = []
  const must = (option: string, holds: boolean, allowed: string) => {
    if (!holds) found.push([option, `is not valid; allowed: ${allowed}`])
  }
  must("apiKey", /^[\x21-\x7e]+$/.test(Redacted.value(settings.apiKey)), "visible ASCII characters")
  const { requests, window } = settings.rate
  must("rate", isInteger(requests, 1, 100_000) && isLasting(window), "1 to 100000 requests in a window")
  must("timeout", isLasting(settings.timeout), "a positive duration")
  must("retries", isInteger(settings.retries, 0, 100), "0 to 100")
  must("retryBudget", isLasting(settings.retryBudget), "a positive duration")
  must("maxWait", Duration.isFinite(settings.maxWait) && !Duration.isNegative(settings.maxWait), "a duration")
  must("maxBody", isInteger(settings.maxBody, 1, 1024 ** 3), "1 to 1073741824 bytes")
  must("concurrency", isInteger(settings.concurrency, 1, 64), "1 to 64")
  const problem = conventions(settings.conventions)
  if (problem !== undefined) found.push(["conventions", problem])
  return found
}
