/** Declares the options of a generated history. */
import * as Schema from "effect/Schema"
import * as Asset from "./internal/history/Asset.ts"
import * as Truth from "./Truth.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))
const Several = Schema.Int.check(Schema.isGreaterThanOrEqualTo(2))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Times and spans are milliseconds, shares fractions. */
export const HistoryOptions = Schema.Struct({
  seed: Schema.Int,
  /** The time at which the history is read: its last record is `quiet` older, its first `span`. */
  to: Schema.Int,
  span: PositiveInt,
  /**
   * The length of time before `to` in which nothing happens: a client takes records younger than its `settle`
   * as not yet seen.
   */
  quiet: Count,
  /** The approximate number of deposits. */
  deposits: PositiveInt,
  subAccounts: PositiveInt,
  /** The number of planted breaks, in-flight ones included. It is smaller where more could not stand apart ({@link room}). */
  breaks: Count,
  /** The kinds of breaks to plant: each of them once, in any order, then each again. */
  kinds: Schema.NonEmptyArray(Truth.Kind),
  /**
   * The number of sweeps that move several deposits at once, and of deposits moved in parts. They come in order, and apart like
   * breaks.
   */
  sweeps: Count,
  splits: Count,
  /** The most deposits of one sweep, and the most parts of one deposit. */
  largest: Schema.Struct({ sweep: Several, split: Several }),
  /** The share of sweeps whose `clientTranId` is `clientTranIdFor` of their deposit. */
  stamped: Share,
  /** The share of ordinary deposits with a round amount that many have, and the share of those never swept. */
  crowd: Schema.Struct({ share: Share, unswept: Share }),
  /** The name of the master account in records. */
  master: Schema.NonEmptyString
}).annotate({ identifier: "HistoryOptions" })
export type HistoryOptions = typeof HistoryOptions.Type

/**
 * The kinds that are planted one after another; in-flight deposits come on top, at the end. All of them show in what a
 * client reads that asks for the transfers of each sub-account to the master account.
 */
export const kinds: HistoryOptions["kinds"] = [
  "deposit-without-transfer",
  "amount-off",
  "failed-transfer",
  "late",
  "interchangeable-burst",
  "transfer-without-deposit",
  "duplicate-transfer",
  "pending-deposit",
  "burst-short-of-one",
  "early",
  "account-mismatch",
  "asset-mismatch",
  "deposit-left-out",
  "incomplete-sweep",
  "incomplete-split"
]

/** The kinds that show only to a client that asks for transfers from the master account as well. */
export const outward: HistoryOptions["kinds"] = ["reversed", "wrong-direction"]

/**
 * 10,000 deposits of 40 sub-accounts in the 70 hours before `to` (the service forgets after 72), about 400 breaks. Breaks
 * and sub-accounts grow with the deposits unless given.
 */
export const make = (changes: Partial<HistoryOptions> & Pick<HistoryOptions, "to">): HistoryOptions => {
  const deposits = changes.deposits ?? 10_000
  return {
    seed: 1,
    span: 70 * HOUR,
    quiet: 3 * MINUTE,
    deposits,
    subAccounts: Math.max(40, Math.ceil(deposits / 250)),
    breaks: Math.round(deposits * 0.04),
    kinds,
    sweeps: Math.round(deposits * 0.005),
    splits: Math.round(deposits * 0.005),
    largest: { sweep: 12, split: 6 },
    stamped: 0.2,
    crowd: { share: 0.05, unswept: 0 },
    master: "master",
    ...changes
  }
}

/** Two breaks or groups of one account and asset are at least this far apart: more than any window and lag of theirs. */
export const APART = 3 * HOUR

/**
 * Returns how many breaks and groups can stand apart. Each account and asset takes one in three hours, and one in six hours of
 * those that concern two accounts.
 */
export const room = ({ kinds, span, subAccounts }: HistoryOptions): number =>
  Math.floor(subAccounts * Asset.assets.length * span / (kinds.includes("account-mismatch") ? 2 * APART : APART))
