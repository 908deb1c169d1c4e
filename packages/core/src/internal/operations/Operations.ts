/**
 * Defines the operations of the exchange's interface description, and the lists that public material adds to them: their
 * parameters, and the requests that they become.
 */
import * as Effect from "effect/Effect"
import * as BrokerError from "../../BrokerError.ts"
import type * as Conventions from "../../Conventions.ts"
import type * as SubAccountApiKey from "../../SubAccountApiKey.ts"
import type * as UniversalTransfer from "../../UniversalTransfer.ts"
import type { Call } from "../client/Call.ts"
import * as Parameters from "./Parameters.ts"

const paths = {
  createApiKey: "/api/v3/broker/sub-account/apiKey",
  universalTransfers: "/api/v3/broker/sub-account/universalTransfer",
  subAccountDeposits: "/api/v3/broker/capital/deposit/subHisrec/getall"
}

/** The parameters of section 4.1. */
export interface CreateApiKey {
  /** 8 to 32 letters and digits by the service's own rule; others are sent with a warning. */
  readonly subAccount: string
  /** At least one. */
  readonly permissions: ReadonlyArray<SubAccountApiKey.Permission>
  /** A note. It is required, and the only way to find a key again whose answer was lost: make it unique. */
  readonly note: string
  /** At most 20 IPv4 or IPv6 addresses. */
  readonly ip?: ReadonlyArray<string>
  /** Lifetime of the request, ms, 1 to 60,000; absent: the service's own default, unless `Conventions.recvWindowOn` is `all`. */
  readonly recvWindow?: number
}

/** The parameters of section 4.2. Without times the service itself chooses a range (seen elsewhere: the last 7 days). */
export interface UniversalTransfers {
  readonly fromAccountType: UniversalTransfer.AccountType
  readonly toAccountType: UniversalTransfer.AccountType
  /** Absent: the master account. */
  readonly fromAccount?: string
  /** Absent: the master account. */
  readonly toAccount?: string
  /** 32 letters and digits. */
  readonly clientTranId?: string
  /** Unix ms. */
  readonly startTime?: number
  /** Unix ms. */
  readonly endTime?: number
  /** From 1; the service's default is 1. */
  readonly page?: number
  /** 1 to 500; the service's default is 500. */
  readonly limit?: number
  /** Lifetime of the request, ms, 1 to 60,000; absent: the service's own default, unless `Conventions.recvWindowOn` is `all`. */
  readonly recvWindow?: number
}

/** The parameters of section 4.3. The service gives the most recent 3 days only. */
export interface SubAccountDeposits {
  readonly coin?: string
  /** One of the codes of `SubAccountDeposit.statuses`, or another. */
  readonly status?: number
  /** Unix ms; refused when it lies more than 96 h back. */
  readonly startTime?: number
  /** Unix ms. */
  readonly endTime?: number
  /** From 1; the service's default is 1. */
  readonly page?: number
  /** 1 to 1000; the service's default is 100. */
  readonly limit?: number
  /** Lifetime of the request, ms, 1 to 60,000; absent: `Conventions.recvWindow`. */
  readonly recvWindow?: number
}

/** The page of the list of sub-accounts. */
export interface SubAccounts {
  /** From 1. */
  readonly page: number
  /** 1 to `Conventions.subAccountPage.maximum`. */
  readonly limit: number
}

/** The parameters of the list of API keys. */
export interface ApiKeys {
  /** The sub-account whose keys they are. */
  readonly subAccount: string
  /** Lifetime of the request, ms, 1 to 60,000; absent: the service's own default, unless `Conventions.recvWindowOn` is `all`. */
  readonly recvWindow?: number
}

const ANY = Number.MAX_SAFE_INTEGER

const recvWindow = (value: number | undefined, conventions: Conventions.Conventions): Parameters.Check =>
  Parameters.integer("recvWindow", value ?? conventions.recvWindow, 1, conventions.recvWindowLimit)

const invalid = (operation: BrokerError.Operation, check: Parameters.Check) =>
  check === undefined ? Effect.void : Effect.fail(BrokerError.BrokerError.of(operation, check))

/** Returns the recvWindow that is sent. On 4.1 and 4.2 only a convention adds one, unless the caller gives it. */
const lifetime = (value: number | undefined, conventions: Conventions.Conventions): number | undefined =>
  value ?? (conventions.recvWindowOn === "all" ? conventions.recvWindow : undefined)

export const createApiKey = Effect.fnUntraced(function*(input: CreateApiKey, conventions: Conventions.Conventions) {
  const ip = input.ip ?? []
  yield* invalid(
    "createApiKey",
    Parameters.first([
      Parameters.notEmpty("subAccount", input.subAccount),
      Parameters.notEmpty("note", input.note),
      Parameters.check(input.permissions.length > 0, "permissions", input.permissions, "at least one permission"),
      ...input.permissions.map((name) =>
        Parameters.check(/^[A-Z0-9_]+$/.test(name), "permissions", name, "names of capital letters, digits and _")
      ),
      Parameters.check(
        ip.length <= conventions.linkedIps,
        "ip",
        ip,
        `at most ${conventions.linkedIps} addresses`
      ),
      ...ip.map(Parameters.ip),
      recvWindow(input.recvWindow, conventions)
    ])
  )
  if (!new RegExp(conventions.subAccountName).test(input.subAccount)) {
    yield* Effect.logWarning("The sub-account name breaks the service's own rule; it is sent as it is.").pipe(
      Effect.annotateLogs({ rule: conventions.subAccountName })
    )
  }
  const call: Call = {
    operation: "createApiKey",
    method: "POST",
    path: paths.createApiKey,
    parameters: [],
    body: JSON.stringify({
      subAccount: input.subAccount,
      permissions: input.permissions.join(","),
      ...(ip.length > 0 ? { ip: ip.join(",") } : {}),
      note: input.note
    }),
    recvWindow: lifetime(input.recvWindow, conventions),
    unknownOutcome: (detail) =>
      new BrokerError.OutcomeUnknown({ subAccount: input.subAccount, note: input.note, detail })
  }
  return call
})

export const universalTransfers = (
  input: UniversalTransfers,
  conventions: Conventions.Conventions
): Effect.Effect<Call, BrokerError.BrokerError<BrokerError.InvalidParameter>> =>
  invalid(
    "universalTransfers",
    Parameters.first([
      Parameters.notEmpty("fromAccountType", input.fromAccountType),
      Parameters.notEmpty("toAccountType", input.toAccountType),
      input.fromAccount === undefined ? undefined : Parameters.notEmpty("fromAccount", input.fromAccount),
      input.toAccount === undefined ? undefined : Parameters.notEmpty("toAccount", input.toAccount),
      Parameters.check(
        input.clientTranId === undefined || /^[A-Za-z0-9]{32}$/.test(input.clientTranId),
        "clientTranId",
        input.clientTranId,
        "32 letters and digits"
      ),
      Parameters.range(input.startTime, input.endTime),
      Parameters.integer("page", input.page, 1, ANY),
      Parameters.integer("limit", input.limit, 1, conventions.transferPage.maximum),
      recvWindow(input.recvWindow, conventions)
    ])
  ).pipe(Effect.as({
    operation: "universalTransfers",
    method: "GET",
    path: paths.universalTransfers,
    parameters: [
      ["clientTranId", input.clientTranId],
      ["fromAccount", input.fromAccount],
      ["toAccount", input.toAccount],
      ["fromAccountType", input.fromAccountType],
      ["toAccountType", input.toAccountType],
      ["startTime", input.startTime],
      ["endTime", input.endTime],
      ["page", input.page],
      ["limit", input.limit]
    ],
    recvWindow: lifetime(input.recvWindow, conventions)
  }))

/** Checks that neither end of a deposit range lies more than 96 h before `now`, the service's time in Unix ms. */
export const depositReach = (
  { endTime, startTime }: Pick<SubAccountDeposits, "startTime" | "endTime">,
  now: number,
  conventions: Conventions.Conventions
) => {
  const oldest = now - conventions.depositReach
  const allowed = `a time from ${oldest}: the service forgets deposits after ${
    conventions.depositHistory / 3_600_000
  } hours, and answers at most ${conventions.depositReach / 3_600_000} hours back`
  return invalid(
    "subAccountDeposits",
    Parameters.first([
      Parameters.check(startTime === undefined || startTime >= oldest, "startTime", startTime, allowed),
      Parameters.check(endTime === undefined || endTime >= oldest, "endTime", endTime, allowed)
    ])
  )
}

export const subAccountDeposits = (
  input: SubAccountDeposits,
  conventions: Conventions.Conventions
): Effect.Effect<Call, BrokerError.BrokerError<BrokerError.InvalidParameter>> =>
  invalid(
    "subAccountDeposits",
    Parameters.first([
      input.coin === undefined ? undefined : Parameters.notEmpty("coin", input.coin),
      Parameters.integer("status", input.status, 0, ANY),
      Parameters.range(input.startTime, input.endTime),
      Parameters.integer("page", input.page, 1, ANY),
      Parameters.integer("limit", input.limit, 1, conventions.depositPage.maximum),
      recvWindow(input.recvWindow, conventions)
    ])
  ).pipe(Effect.as({
    operation: "subAccountDeposits",
    method: "GET",
    path: paths.subAccountDeposits,
    parameters: [
      ["coin", input.coin],
      ["status", input.status],
      ["startTime", input.startTime],
      ["endTime", input.endTime],
      ["limit", input.limit],
      ["page", input.page]
    ],
    recvWindow: input.recvWindow ?? conventions.recvWindow
  }))

/**
 * Returns the path of an operation that not every exchange offers. The interface description does not have it, so its path is a
 * convention.
 */
const offered = (
  operation: "subAccounts" | "apiKeys",
  conventions: Conventions.Conventions
): Effect.Effect<string, BrokerError.BrokerError<BrokerError.NotOffered>> => {
  const setting = `${operation}Path` as const
  const path = conventions[setting]
  return path === null
    ? Effect.fail(BrokerError.BrokerError.of(operation, new BrokerError.NotOffered({ detail: `${setting} is null` })))
    : Effect.succeed(path)
}

/** The answers of a server that does not know a path, or does not take a GET there. */
const UNKNOWN = new Set([404, 405, 410])

/** Tells an exchange that does not know the path of an operation from one that refuses the request. */
export const notOffered = ({ operation, reason }: BrokerError.RequestError) =>
  (reason._tag === "ServiceError" && (UNKNOWN.has(reason.status) || UNKNOWN.has(Number(reason.code)))) ||
    (reason._tag === "ProtocolError" && UNKNOWN.has(reason.status))
    ? BrokerError.BrokerError.of(operation, new BrokerError.NotOffered({ detail: reason.message }))
    : BrokerError.BrokerError.of(operation, reason)

export const subAccounts = Effect.fnUntraced(function*(input: SubAccounts, conventions: Conventions.Conventions) {
  const call: Call = {
    operation: "subAccounts",
    method: "GET",
    path: yield* offered("subAccounts", conventions),
    parameters: [["page", input.page], ["limit", input.limit]],
    recvWindow: lifetime(undefined, conventions)
  }
  return call
})

export const apiKeys = Effect.fnUntraced(function*(input: ApiKeys, conventions: Conventions.Conventions) {
  yield* invalid(
    "apiKeys",
    Parameters.first([
      Parameters.notEmpty("subAccount", input.subAccount),
      recvWindow(input.recvWindow, conventions)
    ])
  )
  const call: Call = {
    operation: "apiKeys",
    method: "GET",
    path: yield* offered("apiKeys", conventions),
    parameters: [["subAccount", input.subAccount]],
    recvWindow: lifetime(input.recvWindow, conventions)
  }
  return call
})
