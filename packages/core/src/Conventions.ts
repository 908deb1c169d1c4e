/**
 * Settings for what the exchange's interface description leaves open.
 *
 * Every value here was taken from public material about the live service and can be changed without touching code:
 * `Conventions.make({ recvWindow: 10_000 })`, or `TALLYSTICK_CONVENTIONS='{"recvWindow":10000}'`.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The meaning of an error code of the service, which decides what may be done about it. */
export const ErrorClass = Schema.Literals([
  "InvalidRequest",
  "KeyRejected",
  "SignatureRejected",
  "ClockSkew",
  "PermissionDenied",
  "ProtocolError",
  "RateLimited",
  "Unavailable",
  "QuotaExceeded",
  "AccountRejected"
]).annotate({ title: "error class" })
export type ErrorClass = typeof ErrorClass.Type

const isRegExp = (text: string): boolean => Result.isSuccess(Result.try(() => new RegExp(text)))

const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))
const Milliseconds = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const PageLength = Schema.Struct({ default: PositiveInt, maximum: PositiveInt })

const Path = Schema.String.check(Schema.isPattern(/^\/[\w!$&'()*+,;=:@/.~%-]*$/u))

const PERMISSIONS = {
  createApiKey: "SPOT_ACCOUNT_WRITE",
  universalTransfers: "SPOT_TRANSFER_READ",
  subAccountDeposits: "SPOT_DEPOSIT_READ",
  subAccounts: "SPOT_ACCOUNT_READ",
  apiKeys: "SPOT_ACCOUNT_READ"
}

/** Conventions need not name every permission: those of an earlier version do not know every operation. */
const permission = (usual: string) => Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(usual)))

/** Times are milliseconds, counts are requests or records. */
export const Conventions = Schema.Struct({
  apiKeyHeader: Schema.String.check(Schema.isPattern(/^[\w!#$%&'*+.^`|~-]+$/u)),
  signedPayload: Schema.Literals(["query", "query+body"]),
  recvWindow: PositiveInt,
  recvWindowLimit: PositiveInt,
  recvWindowOn: Schema.Literals(["all", "deposits"]),
  ratePer: Schema.Literals(["master", "key"]),
  serverTimePath: Schema.NullOr(Path),
  subAccountsPath: Schema.NullOr(Path),
  apiKeysPath: Schema.NullOr(Path),
  linkedIps: PositiveInt,
  subAccountName: Schema.String.check(Schema.makeFilter(isRegExp, { toJsonSchema: () => ({ format: "regex" }) })),
  transferPage: PageLength,
  depositPage: PageLength,
  subAccountPage: PageLength,
  depositHistory: Milliseconds,
  depositReach: Milliseconds,
  transferHistory: Milliseconds,
  settle: Milliseconds,
  sliceLength: PositiveInt,
  permissions: Schema.Struct({
    createApiKey: permission(PERMISSIONS.createApiKey),
    universalTransfers: permission(PERMISSIONS.universalTransfers),
    subAccountDeposits: permission(PERMISSIONS.subAccountDeposits),
    subAccounts: permission(PERMISSIONS.subAccounts),
    apiKeys: permission(PERMISSIONS.apiKeys)
  }),
  errorCodes: Schema.Record(Schema.String, ErrorClass)
}).annotate({ title: "Conventions" })
export type Conventions = typeof Documented.Type

const document = () =>
  Conventions.mapFields((fields) => ({
    /** Header that carries the API key. */
    apiKeyHeader: fields.apiKeyHeader.annotateKey({
      description: "Header that carries the API key."
    }),
    /** What a POST signs: its query text, or query text followed by body text with nothing between. */
    signedPayload: fields.signedPayload.annotateKey({
      description: "What a POST signs: its query text, or query text followed by body text with nothing between."
    }),
    /** How old a request may be when the service sees it, ms; at most `recvWindowLimit`. */
    recvWindow: fields.recvWindow.annotateKey({
      description: "How old a request may be when the service sees it, ms; at most `recvWindowLimit`."
    }),
    /** The longest receive window that the service takes, ms. */
    recvWindowLimit: fields.recvWindowLimit.annotateKey({
      description: "The longest receive window that the service takes, ms."
    }),
    /**
     * Which operations carry recvWindow: `deposits`, as in the exchange's interface description, or `all`, which also holds
     * where `recvWindow` is set and this is not.
     */
    recvWindowOn: fields.recvWindowOn.annotateKey({
      description:
        "Which operations carry recvWindow: `deposits`, as in the exchange's interface description, or `all`, which also holds " +
        "where `recvWindow` is set and this is not."
    }),
    /** What the exchange counts requests by: all keys of a master together (`master`), or each key by itself (`key`). */
    ratePer: fields.ratePer.annotateKey({
      description:
        "What the exchange counts requests by: all keys of a master together (`master`), or each key by itself (`key`)."
    }),
    /** Unsigned path that answers `{"serverTime": ms}`; null trusts the local clock. */
    serverTimePath: fields.serverTimePath.annotateKey({
      description: "Unsigned path that answers `{\"serverTime\": ms}`; null trusts the local clock."
    }),
    /** Path of the list of sub-accounts; null where the exchange offers none. */
    subAccountsPath: fields.subAccountsPath.annotateKey({
      description: "Path of the list of sub-accounts; null where the exchange offers none."
    }),
    /** Path of the list of a sub-account's API keys; null where the exchange offers none. */
    apiKeysPath: fields.apiKeysPath.annotateKey({
      description: "Path of the list of a sub-account's API keys; null where the exchange offers none."
    }),
    /** How many addresses may be linked to a key. */
    linkedIps: fields.linkedIps.annotateKey({
      description: "How many addresses may be linked to a key."
    }),
    /** The service's own rule for sub-account names, a regular expression; breaking it is warned about, not refused. */
    subAccountName: fields.subAccountName.annotateKey({
      description:
        "The service's own rule for sub-account names, a regular expression; breaking it is warned about, not refused."
    }),
    /** Page length of transfers: unless asked, and at most. */
    transferPage: fields.transferPage.annotateKey({
      description: "Page length of transfers: unless asked, and at most."
    }),
    /** Page length of deposits: unless asked, and at most; the maximum comes from one source only. */
    depositPage: fields.depositPage.annotateKey({
      description: "Page length of deposits: unless asked, and at most; the maximum comes from one source only."
    }),
    /** Page length of sub-accounts: unless asked, and at most. */
    subAccountPage: fields.subAccountPage.annotateKey({
      description: "Page length of sub-accounts: unless asked, and at most."
    }),
    /** Deposits younger than this are certainly still known, ms. */
    depositHistory: fields.depositHistory.annotateKey({
      description: "Deposits younger than this are certainly still known, ms."
    }),
    /** Deposits may answer up to this age, ms, without being certain; beyond it a request is refused. */
    depositReach: fields.depositReach.annotateKey({
      description: "Deposits may answer up to this age, ms, without being certain; beyond it a request is refused."
    }),
    /** How far back transfers are certainly known, ms. */
    transferHistory: fields.transferHistory.annotateKey({
      description: "How far back transfers are certainly known, ms."
    }),
    /** Records younger than this, ms, may still be joined by others of the same time: coverage ends there. */
    settle: fields.settle.annotateKey({
      description: "Records younger than this, ms, may still be joined by others of the same time: coverage ends there."
    }),
    /** The longest interval that one slice of a scan asks for, ms. */
    sliceLength: fields.sliceLength.annotateKey({
      description: "The longest interval that one slice of a scan asks for, ms."
    }),
    /** Which permission each operation needs. What is given is added to these. */
    permissions: fields.permissions.annotateKey({
      description: "Which permission each operation needs. What is given is added to these."
    }),
    /**
     * The class of each of the service's error codes (`{"12345": "InvalidRequest"}`); a code that stands nowhere is a
     * `ServiceError`. What is given is added to these.
     */
    errorCodes: fields.errorCodes.annotateKey({
      description:
        "The class of each of the service's error codes (`{\"12345\": \"InvalidRequest\"}`); a code that stands nowhere is a " +
        "`ServiceError`. What is given is added to these."
    })
  })).annotate({
    title: "Conventions",
    description:
      "What the exchange's interface description leaves open. Times are milliseconds, counts are requests or records."
  })

/**
 * The schema with the meaning of each setting, for generated documents. It stands apart, so that no bundle
 * carries these words.
 */
export const Documented = /*#__PURE__*/ document()

const HOUR = 3_600_000

const codes = (errorClass: ErrorClass, ...numbers: ReadonlyArray<number>): Record<string, ErrorClass> =>
  Object.fromEntries(numbers.map((code) => [String(code), errorClass]))

/** The conventions of the live service of this shape (spot v3, broker endpoints). */
export const mexc: Conventions = {
  apiKeyHeader: "X-MEXC-APIKEY",
  signedPayload: "query",
  recvWindow: 5000,
  recvWindowLimit: 60_000,
  recvWindowOn: "deposits",
  ratePer: "master",
  serverTimePath: "/api/v3/time",
  subAccountsPath: "/api/v3/broker/sub-account/list",
  apiKeysPath: "/api/v3/broker/sub-account/apiKey",
  linkedIps: 20,
  subAccountName: "^[A-Za-z0-9]{8,32}$",
  transferPage: { default: 500, maximum: 500 },
  depositPage: { default: 100, maximum: 1000 },
  subAccountPage: { default: 10, maximum: 200 },
  depositHistory: 72 * HOUR,
  depositReach: 96 * HOUR,
  transferHistory: 180 * 24 * HOUR,
  settle: 2 * 60_000,
  sliceLength: 24 * HOUR,
  permissions: PERMISSIONS,
  errorCodes: {
    ...codes("InvalidRequest", 400, 700004, 700005, 700008, 730002, 730600, 730601, 730602),
    ...codes("InvalidRequest", 730700, 730701, 730702, 730703, 730704, 33333, 44444),
    ...codes("KeyRejected", 401, 10072, 700001),
    ...codes("SignatureRejected", 602, 700002),
    ...codes("ClockSkew", 700003, 10073),
    ...codes("PermissionDenied", 403, 700006, 700007),
    ...codes("ProtocolError", 700013),
    ...codes("RateLimited", 429, 510),
    ...codes("Unavailable", 500, 502, 503, 504),
    ...codes("QuotaExceeded", 730705),
    ...codes("AccountRejected", 730001, 730101, 140001, 140002, 10001, 10099, 730603)
  }
}

/** The settings that differ from the preset. */
export interface Changes extends Partial<Omit<Conventions, "permissions">> {
  /** The permissions of operations whose names differ; they are added to the usual ones. */
  readonly permissions?: Partial<Conventions["permissions"]>
}

/**
 * Returns the preset with some settings changed. `permissions` and `errorCodes` are added to the preset's; other groups are
 * replaced whole. A `recvWindow` that is set is meant for all operations, unless `recvWindowOn` says otherwise.
 */
export const make = (changes: Changes = {}): Conventions => ({
  ...mexc,
  ...(changes.recvWindow === undefined ? {} : { recvWindowOn: "all" }),
  ...changes,
  permissions: { ...mexc.permissions, ...changes.permissions },
  errorCodes: { ...mexc.errorCodes, ...changes.errorCodes }
})
