/** Sets how strict the sandbox is, beyond the `Conventions` of the client. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Schema from "effect/Schema"

const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))

/**
 * Allows at most `limit` requests in any `window` ms, all operations together, the time endpoint included. Beyond it every
 * request is answered 429 until Retry-After has passed. Where `Conventions.ratePer` is `key`, each key has this rate for itself, and
 * all requests without a known key have it together.
 */
export const Rate = Schema.Struct({
  limit: PositiveInt,
  /** Milliseconds. */
  window: PositiveInt,
  /** The number of requests before the end of Retry-After that are answered 429 again. The next one is banned. */
  patience: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  /** Seconds of a ban. */
  ban: PositiveInt
}).annotate({ identifier: "SandboxRate" })
export type Rate = typeof Rate.Type

/** The rules that the sandbox enforces. */
export const Rules = Schema.Struct({
  /** Null lets any number of requests through. */
  rate: Schema.NullOr(Rate),
  /** Whether `Conventions.serverTimePath` answers: it is not in the exchange's interface description. */
  serverTime: Schema.Boolean,
  /**
   * The deposits that are answered. Null: those of the last `Conventions.depositHistory` (72 h). A number: those since midnight
   * three days ago, in a zone that many minutes east of UTC (72 to 96 h).
   */
  depositsFromMidnight: Schema.NullOr(Schema.Int),
  /** Transfers that are requested without times answer for the last so many ms. */
  transferDefault: PositiveInt,
  /** API keys per sub-account. */
  keyGroups: PositiveInt,
  /** The names of the permissions that a new key may carry. */
  permissions: Schema.NonEmptyArray(Schema.String),
  /** The number of latest requests that are remembered. */
  remembered: PositiveInt
}).annotate({ identifier: "Rules" })
export type Rules = typeof Rules.Type

const permissions: NonEmptyReadonlyArray<string> = [
  "SPOT_ACCOUNT_READ",
  "SPOT_ACCOUNT_WRITE",
  "SPOT_DEAL_READ",
  "SPOT_DEAL_WRITE",
  "CONTRACT_ACCOUNT_READ",
  "CONTRACT_ACCOUNT_WRITE",
  "CONTRACT_DEAL_READ",
  "CONTRACT_DEAL_WRITE",
  "SPOT_WITHDRAW_READ",
  "SPOT_WITHDRAW_WRITE",
  "SPOT_TRANSFER_READ",
  "SPOT_TRANSFER_WRITE",
  "SPOT_DEPOSIT_READ",
  "SPOT_DEPOSIT_WRITE"
]

/** The usual rules: 20 requests in any second, 72 h of deposits, 7 days of transfers, 30 keys a sub-account. */
export const defaults: Rules = {
  rate: { limit: 20, window: 1000, patience: 10, ban: 60 },
  serverTime: true,
  depositsFromMidnight: null,
  transferDefault: 7 * 86_400_000,
  keyGroups: 30,
  permissions,
  remembered: 100_000
}
