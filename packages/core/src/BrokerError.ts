/**
 * Describes every failure of an operation as one error with a `reason`.
 *
 * A message says what came, what was wanted and what to do. None carries the API key, the secret or a signature.
 */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Coverage from "./Coverage.ts"

const Service = {
  /** The service's own code, as text. */
  code: Schema.String,
  /** The service's own words, at most 200 characters; written by a stranger. */
  serviceMessage: Schema.String
}

const said = ({ code, serviceMessage }: { readonly code: string; readonly serviceMessage: string }): string =>
  `the service said ${code}${serviceMessage === "" ? "" : `: ${serviceMessage}`}`

/** Writes whole seconds for a person: `1h 6m 40s`. */
const seconds = (ms: number): string => Duration.format(Duration.seconds(Math.ceil(ms / 1000)))

/**
 * The client refused a parameter before anything was sent. The reason tells the parameter, the value that came, and the values
 * that are allowed.
 */
export class InvalidParameter
  extends Schema.TaggedError<InvalidParameter>("@tallystick/core/BrokerError/InvalidParameter")("InvalidParameter", {
    parameter: Schema.String,
    actual: Schema.String,
    allowed: Schema.String
  })
{
  readonly category = "request"
  override get message(): string {
    return `${this.parameter} is ${this.actual}; allowed: ${this.allowed}`
  }
}

/** The service found a parameter missing, malformed or out of range. */
export class InvalidRequest
  extends Schema.TaggedError<InvalidRequest>("@tallystick/core/BrokerError/InvalidRequest")("InvalidRequest", Service)
{
  readonly category = "request"
  override get message(): string {
    return `a parameter was refused: ${said(this)}`
  }
}

/** The API key is unknown or malformed. */
export class KeyRejected
  extends Schema.TaggedError<KeyRejected>("@tallystick/core/BrokerError/KeyRejected")("KeyRejected", Service)
{
  readonly category = "credentials"
  override get message(): string {
    return `the API key is unknown to the service or malformed (${said(this)}); check the key and the base URL`
  }
}

/** The signature does not belong to the request. */
export class SignatureRejected
  extends Schema.TaggedError<SignatureRejected>("@tallystick/core/BrokerError/SignatureRejected")(
    "SignatureRejected",
    Service
  )
{
  readonly category = "credentials"
  override get message(): string {
    return `the signature was refused (${said(this)}); check that the secret belongs to the API key`
  }
}

/** The request's time lies outside the receive window even after the clocks were compared. */
export class ClockSkew extends Schema.TaggedError<ClockSkew>("@tallystick/core/BrokerError/ClockSkew")("ClockSkew", {
  ...Service,
  /** Server time minus local time as last measured, ms. */
  offset: Schema.Int
}) {
  readonly category = "credentials"
  override get message(): string {
    return `the request's time was refused (${
      said(this)
    }) with a clock offset of ${this.offset} ms; set this machine's clock or raise recvWindow`
  }
}

/** The key may not do this. */
export class PermissionDenied
  extends Schema.TaggedError<PermissionDenied>("@tallystick/core/BrokerError/PermissionDenied")("PermissionDenied", {
    ...Service,
    /** The permission that the operation needs. */
    permission: Schema.String,
    /** Which key it is, where there are several: `key 2 of 3`. */
    key: Schema.optionalKey(Schema.String)
  })
{
  readonly category = "credentials"
  override get message(): string {
    return `${this.key ?? "the key"} may not do this (${
      said(this)
    }); it needs ${this.permission}, and this machine's address must be linked to it`
  }
}

/** The answer is not what the contract promises: a redirect, HTML, a body that is no JSON or too long, wrong shape. */
export class ProtocolError
  extends Schema.TaggedError<ProtocolError>("@tallystick/core/BrokerError/ProtocolError")("ProtocolError", {
    /** HTTP status; 0 when the transport hides it. */
    status: Schema.Int,
    /** The fault of the answer. */
    detail: Schema.String,
    /** At most 200 characters of the body. */
    excerpt: Schema.String,
    /** Whether the answer could not be read: it was cut off or changed on the way, or another server made it. */
    garbled: Schema.optionalKey(Schema.Boolean)
  })
{
  readonly category = "protocol"
  override get message(): string {
    return `HTTP ${this.status}: ${this.detail}${this.excerpt === "" ? "" : `; the answer begins: ${this.excerpt}`}`
  }
}

/** There were too many requests, and waiting is not worth it or did not help. */
export class RateLimited
  extends Schema.TaggedError<RateLimited>("@tallystick/core/BrokerError/RateLimited")("RateLimited", {
    ...Service,
    /** How long the service asks to wait, ms. */
    retryAfter: Schema.Int
  })
{
  readonly category = "throttling"
  override get message(): string {
    return `too many requests (${said(this)}); wait ${seconds(this.retryAfter)} before the next one`
  }
}

/** The service refuses everything from here until a moment. No request leaves before it. */
export class Banned extends Schema.TaggedError<Banned>("@tallystick/core/BrokerError/Banned")("Banned", {
  /** End of the ban, Unix ms of the local clock. */
  until: Schema.Int,
  /** Time left when this error was made, ms. */
  remaining: Schema.Int
}) {
  readonly category = "throttling"
  override get message(): string {
    return `banned by the service for another ${seconds(this.remaining)}`
  }
}

/**
 * There was no usable answer: the network failed, the time was over, or a 5xx came. Only requests that are safe to repeat end so,
 * and only after they were repeated.
 */
export class Unavailable
  extends Schema.TaggedError<Unavailable>("@tallystick/core/BrokerError/Unavailable")("Unavailable", {
    /** HTTP status, when one came. */
    status: Schema.optionalKey(Schema.Int),
    detail: Schema.String,
    /** The transport's own code for the failure, where it had one: `ENOTFOUND`, `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
    code: Schema.optionalKey(Schema.String),
    /**
     * The transport's messages, cause by cause, at most 200 characters: `connect ECONNREFUSED 192.0.2.7:3128`. They hold no
     * secrets.
     */
    cause: Schema.optionalKey(Schema.String),
    /** The number of attempts; 0 where the service had not answered for so long that it was not asked. */
    attempts: Schema.Int,
    /** Whether a request may have reached the service; false only when no connection came about. */
    sent: Schema.Boolean
  })
{
  readonly category = "transient"
  override get message(): string {
    const cause = this.cause === undefined ? "" : `: ${this.cause}`
    if (this.attempts === 0) return `${this.detail}${cause}`
    return `no usable answer after ${this.attempts} attempt${this.attempts === 1 ? "" : "s"}: ${this.detail}${cause}`
  }
}

/** A key may or may not have been made: the request left and no conclusive answer came. It was not repeated. */
export class OutcomeUnknown
  extends Schema.TaggedError<OutcomeUnknown>("@tallystick/core/BrokerError/OutcomeUnknown")("OutcomeUnknown", {
    subAccount: Schema.String,
    note: Schema.String,
    detail: Schema.String
  })
{
  readonly category = "unknown-outcome"
  override get message(): string {
    return `whether the key was made is unknown (${this.detail}); look among the keys of sub-account ${
      JSON.stringify(this.subAccount)
    } for the note ${JSON.stringify(this.note)}, and delete it before trying again`
  }
}

/** The account has as many keys as it may have. */
export class QuotaExceeded
  extends Schema.TaggedError<QuotaExceeded>("@tallystick/core/BrokerError/QuotaExceeded")("QuotaExceeded", Service)
{
  readonly category = "account"
  override get message(): string {
    return `the quota of keys is used up (${said(this)}); delete keys that are no longer needed`
  }
}

/** The account is not in a state that allows this: unknown sub-account, no broker, disabled. */
export class AccountRejected
  extends Schema.TaggedError<AccountRejected>("@tallystick/core/BrokerError/AccountRejected")(
    "AccountRejected",
    Service
  )
{
  readonly category = "account"
  override get message(): string {
    return `the account was refused: ${said(this)}`
  }
}

/** The service answered with an error code that is not in `Conventions.errorCodes`. */
export class ServiceError
  extends Schema.TaggedError<ServiceError>("@tallystick/core/BrokerError/ServiceError")("ServiceError", {
    ...Service,
    status: Schema.Int
  })
{
  readonly category = "protocol"
  override get message(): string {
    return `unexpected error, HTTP ${this.status}: ${said(this)}`
  }
}

/** The signer could not sign. */
export class SigningFailed
  extends Schema.TaggedError<SigningFailed>("@tallystick/core/BrokerError/SigningFailed")("SigningFailed", {
    detail: Schema.String
  })
{
  readonly category = "credentials"
  override get message(): string {
    return `the request could not be signed: ${this.detail}`
  }
}

/** Completeness could not be proven. A record stream then ends with this reason instead of ending quietly. */
export class Incomplete
  extends Schema.TaggedError<Incomplete>("@tallystick/core/BrokerError/Incomplete")("Incomplete", {
    coverage: Coverage.Coverage
  })
{
  readonly category = "incomplete"
  override get message(): string {
    const { from, gap, readAt, state, to } = this.coverage
    if (state === "open" && from >= readAt) {
      return `the range lies in the future: what begins at ${from} has not happened at ${readAt}, the exchange's time (Unix ms)`
    }
    if (state === "open") {
      return `not settled from ${from} on (Unix ms): younger records may still be joined by others; ask for what is older, ` +
        `to: ${from}, or take the rest as it is with openTail: true`
    }
    return `not proven complete between ${from} and ${to} (Unix ms): ${gap?.detail ?? "no reason given"}`
  }
}

/** The exchange does not know the path of an operation that not every exchange offers, or conventions say so. */
export class NotOffered
  extends Schema.TaggedError<NotOffered>("@tallystick/core/BrokerError/NotOffered")("NotOffered", {
    /** What says so: the answer, or the convention. */
    detail: Schema.String
  })
{
  readonly category = "unsupported"
  override get message(): string {
    return `the exchange does not offer this (${this.detail})`
  }
}

/**
 * The whole of a list that is not cut by time could not be proven. The stream gave the records that were seen before it ended
 * with this.
 */
export class IncompleteList
  extends Schema.TaggedError<IncompleteList>("@tallystick/core/BrokerError/IncompleteList")("IncompleteList", {
    /** The reason for doubt, in a sentence without a full stop. */
    detail: Schema.String,
    /** The number of records that were seen. */
    seen: Schema.Int
  })
{
  readonly category = "incomplete"
  override get message(): string {
    return `the list is not proven complete: ${this.detail}`
  }
}

/** Every reason that a `BrokerError` may have. */
export const Reason = Schema.Union([
  InvalidParameter,
  InvalidRequest,
  KeyRejected,
  SignatureRejected,
  ClockSkew,
  PermissionDenied,
  ProtocolError,
  RateLimited,
  Banned,
  Unavailable,
  OutcomeUnknown,
  QuotaExceeded,
  AccountRejected,
  ServiceError,
  SigningFailed,
  Incomplete,
  NotOffered,
  IncompleteList
])
export type Reason = typeof Reason.Type

/** The reasons why a request may fail, whatever it asks for. */
export type RequestReason = Exclude<Reason, OutcomeUnknown | Incomplete | NotOffered | IncompleteList>

/** The reasons that an answer may give, or its absence: all of a request's but those for which nothing is sent. */
export type AnswerReason = Exclude<RequestReason, InvalidParameter | SigningFailed>

/**
 * The kind of a reason, for callers that do not want to list tags; it narrows a reason to those of its kind.
 *
 * - `request`: the caller's parameters are wrong.
 * - `credentials`: the key, the secret, the clock or a permission is wrong.
 * - `throttling`: the caller must slow down.
 * - `transient`: the failure may pass by itself.
 * - `unknown-outcome`: the operation may or may not have happened.
 * - `account`: the account's state does not allow the operation.
 * - `protocol`: the answer is not what the contract promises.
 * - `incomplete`: completeness could not be proven.
 * - `unsupported`: the exchange does not offer the operation.
 */
export type Category = Reason["category"]

/** The operations of the service, as errors, spans and metrics name them. */
export const Operation = Schema.Literals([
  "createApiKey",
  "universalTransfers",
  "subAccountDeposits",
  "subAccounts",
  "apiKeys",
  "serverTime"
])
export type Operation = typeof Operation.Type

/** The one error of this package's operations. Each operation says which reasons its error may have. */
export class BrokerError<out Of extends Reason = Reason>
  extends Schema.TaggedError<BrokerError>("@tallystick/core/BrokerError")("BrokerError", {
    operation: Operation,
    reason: Reason
  })
{
  declare readonly reason: Of
  /** Makes the error of an operation with just this reason. */
  static readonly of = <Of extends Reason>(operation: Operation, reason: Of): BrokerError<Of> =>
    new BrokerError<Of>({ operation, reason })
  get category(): Of["category"] {
    return this.reason.category
  }
  override get message(): string {
    return `${this.operation}: ${this.reason.message}`
  }
}

/** The error of a page, or of a scan: the reasons why a request may fail, and no other. */
export type RequestError = BrokerError<RequestReason>

/** The error of `clock`, which takes no parameter and signs nothing. */
export type ClockError = BrokerError<AnswerReason>

/** The error of `createApiKey`, whose outcome may stay unknown. */
export type CreateApiKeyError = BrokerError<RequestReason | OutcomeUnknown>

/** The error of a stream of records, which ends where it cannot prove that it is complete. */
export type StreamError = BrokerError<RequestReason | Incomplete>

/** The error of `apiKeys`, which an exchange may not offer. */
export type ApiKeysError = BrokerError<RequestReason | NotOffered>

/** The error of `subAccounts`, which an exchange may not offer, and whose list may not be proven complete. */
export type SubAccountsError = BrokerError<RequestReason | NotOffered | IncompleteList>
