/**
 * What the service's document leaves open, as settings.
 *
 * Every value here was taken from public material about the live service and can be changed without touching code:
 * `Conventions.make({ recvWindow: 10_000 })`, or `TALLYSTICK_CONVENTIONS='{"recvWindow":10000}'`.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** What an error code of the service means, and so what may be done about it. */
export const ErrorClass = Schema.Literals([
  "InvalidRequest",
  "Unauthorized",
  "SignatureRejected",
  "ClockSkew",
  "Forbidden",
  "ProtocolError",
  "RateLimited",
  "Unavailable",
  "QuotaExceeded",
  "AccountRejected"
])
export type ErrorClass = typeof ErrorClass.Type

const isRegExp = (text: string): boolean => Result.isSuccess(Result.try(() => new RegExp(text)))

const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))
const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Times are milliseconds, counts are requests or records. */
export const Conventions = Schema.Struct({
  /** Header that carries the API key. */
  apiKeyHeader: Schema.String.check(Schema.isPattern(/^[\w!#$%&'*+.^`|~-]+$/)),
  /** What a POST signs: its query text, or query text followed by body text with nothing between. */
  signedPayload: Schema.Literals(["query", "query+body"]),
  /** How old a request may be when the service sees it: 1 to `recvWindowLimit` ms. */
  recvWindow: PositiveInt,
  recvWindowLimit: PositiveInt,
  /** Which operations carry recvWindow: the document has it on deposits only. */
  recvWindowOn: Schema.Literals(["all", "deposits"]),
  /** Unsigned path that answers `{"serverTime": ms}`; null trusts the local clock. */
  serverTimePath: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\/[\w!$&'()*+,;=:@/.~%-]*$/))),
  /** Addresses that may be linked to a key. */
  linkedIps: PositiveInt,
  /** The service's own rule for sub-account names; breaking it is warned about, not refused. */
  subAccountName: Schema.String.check(Schema.makeFilter(isRegExp)),
  /** Default and maximum page length of transfers. */
  transferPage: Schema.Struct({ default: PositiveInt, maximum: PositiveInt }),
  /** Default and maximum page length of deposits; the maximum comes from one source only. */
  depositPage: Schema.Struct({ default: PositiveInt, maximum: PositiveInt }),
  /** Deposits younger than this are certainly still known: 72 h. */
  depositHistory: Milliseconds,
  /** Deposits may answer up to this age, without being certain; beyond it a request is refused: 96 h. */
  depositReach: Milliseconds,
  /** How far back transfers are certainly known: 180 days. */
  transferHistory: Milliseconds,
  /** Records younger than this may still be joined by others of the same time: coverage ends there. */
  settle: Milliseconds,
  /** The longest interval that one slice of a scan asks for. */
  sliceLength: PositiveInt,
  /** Which permission each operation needs. */
  permissions: Schema.Struct({
    createApiKey: Schema.String,
    universalTransfers: Schema.String,
    subAccountDeposits: Schema.String
  }),
  /** Account types that mean the same, each group under its first spelling. */
  accountTypeAliases: Schema.Array(Schema.NonEmptyArray(Schema.String)),
  /** The service's error codes by class; a code that stands nowhere is a `ServiceError`. */
  errorCodes: Schema.Record(Schema.String, ErrorClass)
})
export type Conventions = typeof Conventions.Type

const HOUR = 3_600_000

const codes = (errorClass: ErrorClass, ...numbers: ReadonlyArray<number>): Record<string, ErrorClass> =>
  Object.fromEntries(numbers.map((code) => [String(code), errorClass]))

/** The conventions of the live service of this shape (spot v3, broker endpoints). */
export const mexc: Conventions = {
  apiKeyHeader: "X-MEXC-APIKEY",
  signedPayload: "query",
  recvWindow: 5000,
  recvWindowLimit: 60_000,
  recvWindowOn: "all",
  serverTimePath: "/api/v3/time",
  linkedIps: 20,
  subAccountName: "^[A-Za-z0-9]{8,32}$",
  transferPage: { default: 500, maximum: 500 },
  depositPage: { default: 100, maximum: 1000 },
  depositHistory: 72 * HOUR,
  depositReach: 96 * HOUR,
  transferHistory: 180 * 24 * HOUR,
  settle: 2 * 60_000,
  sliceLength: 24 * HOUR,
  permissions: {
    createApiKey: "SPOT_ACCOUNT_WRITE",
    universalTransfers: "SPOT_TRANSFER_READ",
    subAccountDeposits: "SPOT_DEPOSIT_READ"
  },
  accountTypeAliases: [["FUTURES", "FUTURE"]],
  errorCodes: {
    ...codes("InvalidRequest", 400, 700004, 700005, 700008, 730002, 730600, 730601, 730602),
    ...codes("InvalidRequest", 730700, 730701, 730702, 730703, 730704, 33333, 44444),
    ...codes("Unauthorized", 401, 10072, 700001),
    ...codes("SignatureRejected", 602, 700002),
    ...codes("ClockSkew", 700003, 10073),
    ...codes("Forbidden", 403, 700006, 700007),
    ...codes("ProtocolError", 700013),
    ...codes("RateLimited", 429, 510),
    ...codes("Unavailable", 500, 502, 503, 504),
    ...codes("QuotaExceeded", 730705),
    ...codes("AccountRejected", 730001, 730101, 140001, 140002, 10001, 10099, 730603)
  }
}

/** The preset with some settings changed; nested groups are replaced whole, `errorCodes` are added to. */
export const make = (changes: Partial<Conventions> = {}): Conventions => ({
  ...mexc,
  ...changes,
  errorCodes: { ...mexc.errorCodes, ...changes.errorCodes }
})

/** The one spelling of an account type: `FUTURE` and `FUTURES` are the same. */
export const accountType = (conventions: Conventions, type: string): string =>
  conventions.accountTypeAliases.find((group) => group.includes(type))?.[0] ?? type
