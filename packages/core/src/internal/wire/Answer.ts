/** Interprets a service's answer: the JSON it carries, or the reason why it carries none. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as BrokerError from "../../BrokerError.ts"
import type * as Conventions from "../../Conventions.ts"
import * as JsonShape from "../../JsonShape.ts"

/** An answer as it came. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | undefined
  /** The time at which the answer was made, by the clock of the server that made it. */
  readonly date: string | undefined
  readonly text: string
}

export interface Context {
  readonly conventions: Conventions.Conventions
  /** The permission that the operation needs. */
  readonly permission: string
  /** Which of several keys signed the request: `key 2 of 3`. */
  readonly key?: string | undefined
  /** Whether its records have a `tranId`, all of whose digits count. Looking for one in a long page takes time. */
  readonly hasTranIds: boolean
  /** Takes secrets out of a stranger's text, and shortens it. */
  readonly excerpt: (text: string) => string
}

/** The waits after a 429 and a 418 that do not say how long: a second, and a minute. */
const DEFAULT_RETRY_AFTER = 1000
const DEFAULT_BAN = 60_000

/** The longest wait that is kept, 31 years. A longer one could not be told as a moment. */
const LONGEST_SECONDS = 1e9

const seconds = (text: string): number | undefined => /^\+?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined

/** Returns the Unix ms of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form of a date that HTTP writes. */
const moment = (text: string | undefined): number | undefined => {
  const date = text?.trim() ?? ""
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date)
    ? Option.getOrUndefined(Option.map(DateTime.make(date), DateTime.toEpochMillis))
    : undefined
}

/**
 * Returns Retry-After in ms. It may be seconds, of which the largest counts where a proxy has added its own, or a date. A date is
 * compared with the answer's own, because this machine's clock may be wrong. Without that one, or when it is over, it does not
 * count.
 */
const retryAfter = ({ date, retryAfter }: Answer, fallback: number): number => {
  const told = (retryAfter ?? "").split(",").map((part) => seconds(part.trim())).filter((part) => part !== undefined)
  if (told.length > 0) return Math.ceil(Math.min(Math.max(...told), LONGEST_SECONDS) * 1000)
  const [end, made] = [moment(retryAfter), moment(date)]
  return end !== undefined && made !== undefined && end > made ? Math.min(end - made, LONGEST_SECONDS * 1000) : fallback
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keeps the digits of a `tranId` that came as a whole number; `JSON.parse` alone would round them from 2^53 on. */
const exactIds = (key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  key === "tranId" && typeof value === "number" && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value

const isTooDeep = (text: string): boolean => JsonShape.tooDeep(text) !== undefined

const parse = (text: string, hasTranIds: boolean): Option.Option<unknown> => {
  if (isTooDeep(text)) return Option.none()
  const reviver = hasTranIds && /"tranId"\s*:\s*[-\d]/.test(text) ? exactIds : undefined
  return Result.getSuccess(Result.try(() => JSON.parse(text, reviver) as unknown))
}

/**
 * Reads `{"code": N, "msg": "…"}`: the code may be a number or text, and `message` may stand for `msg`. A code of 0 or 200 is no
 * error.
 */
const envelope = (json: unknown): Option.Option<{ readonly code: string; readonly message: string }> => {
  if (!isRecord(json)) return Option.none()
  const { code } = json
  if (typeof code !== "number" && typeof code !== "string") return Option.none()
  const message = json["msg"] ?? json["message"]
  return Option.some({ code: String(code), message: typeof message === "string" ? message : "" })
}

const byCode = (
  answer: Answer,
  { code, message }: { readonly code: string; readonly message: string },
  { conventions, excerpt, key, permission }: Context
): BrokerError.AnswerReason => {
  const service = { code: excerpt(code), serviceMessage: excerpt(message) }
  switch (conventions.errorCodes[code]) {
    case "InvalidRequest":
      return new BrokerError.InvalidRequest(service)
    case "KeyRejected":
      return new BrokerError.KeyRejected(service)
    case "SignatureRejected":
      return new BrokerError.SignatureRejected(service)
    case "ClockSkew":
      return new BrokerError.ClockSkew({ ...service, offset: 0 })
    case "PermissionDenied":
      return new BrokerError.PermissionDenied({ ...service, permission, ...(key === undefined ? {} : { key }) })
    case "ProtocolError":
      return new BrokerError.ProtocolError({
        status: answer.status,
        detail: `the request's form was refused with ${service.code}`,
        excerpt: service.serviceMessage
      })
    case "RateLimited":
      return new BrokerError.RateLimited({
        ...service,
        retryAfter: retryAfter(answer, DEFAULT_RETRY_AFTER)
      })
    case "Unavailable":
      return new BrokerError.Unavailable({
        status: answer.status,
        detail: `the service said ${service.code}`,
        attempts: 1,
        sent: true
      })
    case "QuotaExceeded":
      return new BrokerError.QuotaExceeded(service)
    case "AccountRejected":
      return new BrokerError.AccountRejected(service)
    default:
      return new BrokerError.ServiceError({ ...service, status: answer.status })
  }
}

const protocolError = (answer: Answer, detail: string, { excerpt }: Context) =>
  new BrokerError.ProtocolError({
    status: answer.status,
    detail,
    excerpt: excerpt(answer.text),
    garbled: answer.status >= 200 && answer.status < 300
  })

const isJson = ({ contentType }: Answer): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b|^text\/json\b/i.test(contentType)

const jsonOf = (answer: Answer, hasTranIds = false): Option.Option<unknown> =>
  isJson(answer) ? parse(answer.text, hasTranIds) : Option.none()

/** The statuses of a server in front of the service that sends elsewhere what has not reached the service. */
const sendsElsewhere = new Set([301, 302, 307, 308])

/**
 * Whether an answer without a result proves that the request was not carried out, which matters for a POST:
 *
 * - 429 and 418 do, whatever their body: the service counts requests before it reads them.
 * - 301, 302, 307 and 308 do. A 303 does not, it says where the result is; no other 3xx means anything here.
 * - The service's own JSON error does, below HTTP 500, when its code is known and not one of a failed server (500, 502,
 *   503, 504).
 * - Nothing else does. An unknown code, a firewall's page with 403, an empty 400 or a stranger's JSON may come from
 *   in front of the service, and just as well from behind an operation that ran.
 */
export const provesRefusal = (answer: Answer, reason: BrokerError.AnswerReason): boolean =>
  reason._tag === "Banned" || reason._tag === "RateLimited" || sendsElsewhere.has(answer.status) || (
    reason._tag !== "Unavailable" && reason._tag !== "ServiceError" &&
    (answer.status >= 400 || (answer.status >= 200 && answer.status < 300)) &&
    Option.isSome(Option.flatMap(jsonOf(answer), envelope))
  )

/** Reads an answer: status first, then content type, then JSON, then the service's own error code. */
export const read = (answer: Answer, context: Context): Result.Result<unknown, BrokerError.AnswerReason> => {
  const { status } = answer
  if (status === 418) {
    return Result.fail(new BrokerError.Banned({ until: 0, remaining: retryAfter(answer, DEFAULT_BAN) }))
  }
  if (status === 0 || (status >= 300 && status < 400)) {
    return Result.fail(protocolError({ ...answer, text: "" }, "a redirect, which is never followed", context))
  }
  if (status >= 500) {
    return Result.fail(new BrokerError.Unavailable({ status, detail: `HTTP ${status}`, attempts: 1, sent: true }))
  }
  const json = jsonOf(answer, context.hasTranIds)
  const error = Option.flatMap(json, envelope)
  if (status === 429) {
    const { code, message } = Option.getOrElse(error, () => ({ code: "429", message: "" }))
    return Result.fail(
      new BrokerError.RateLimited({
        code: context.excerpt(code),
        serviceMessage: context.excerpt(message),
        retryAfter: retryAfter(answer, DEFAULT_RETRY_AFTER)
      })
    )
  }
  if (status >= 400) {
    return Result.fail(Option.match(error, {
      onNone: () =>
        Option.isSome(json)
          ? byCode(answer, { code: String(status), message: "" }, context)
          : protocolError(answer, "an error that is not the service's JSON (a firewall or proxy?)", context),
      onSome: (error) => byCode(answer, error, context)
    }))
  }
  if (!isJson(answer)) {
    return Result.fail(
      protocolError(answer, `content type ${context.excerpt(answer.contentType) || "absent"}`, context)
    )
  }
  if (Option.isNone(json)) {
    const detail = isTooDeep(answer.text)
      ? `the body is nested deeper than ${JsonShape.DEEPEST} levels`
      : "the body is not JSON"
    return Result.fail(protocolError(answer, detail, context))
  }
  if (Option.isSome(error) && error.value.code !== "0" && error.value.code !== "200") {
    return Result.fail(byCode(answer, error.value, context))
  }
  return Result.succeed(json.value)
}
