/**
 * Describes the truth about a generated history, against which a report can be checked.
 *
 * Deposits are named by their `txId` and transfers by their `tranId`: both are unique in a generated history.
 */
import * as Schema from "effect/Schema"

/** A deposit and the transfer that swept it. */
export const Pair = Schema.Struct({
  deposit: Schema.String,
  transfer: Schema.String,
  /** The transfer's `clientTranId` is `clientTranIdFor(deposit)`. */
  stamped: Schema.Boolean
}).annotate({ identifier: "TruthPair" })
export type Pair = typeof Pair.Type

/** Several deposits that one transfer moved together, or one deposit that several transfers moved. */
export const Group = Schema.Struct({ deposits: Schema.Array(Schema.String), transfers: Schema.Array(Schema.String) })
  .annotate({ identifier: "TruthGroup" })
export type Group = typeof Group.Type

/**
 * The kinds of planted breaks. With the default policy (window 1 minute before to 1 hour after, late 23 hours):
 *
 * - `deposit-without-transfer`: a settled deposit, never swept, its window closed;
 * - `transfer-without-deposit`: a sweep of nothing;
 * - `amount-off`: swept within the window, short by 0.2 to 8 percent. Lone in its account and asset, so that an address
 *   book names the pair; a stamped one is named without the book; else both sides are missing;
 * - `late`: swept 65 minutes to 6 hours after the deposit;
 * - `early`: swept 5 minutes to 2 hours before the deposit was seen;
 * - `failed-transfer`: the only sweep in the window failed;
 * - `pending-deposit`: a deposit whose status is not final, not swept;
 * - `duplicate-transfer`: swept twice, the second time after more than three times the lag of the first. `transfers` names
 *   the sweep first, the duplicate second;
 * - `interchangeable-burst`: equal deposits of one account close together, as many equal sweeps: nothing is missing, and
 *   nobody can say which belongs to which. `pairs` is what really happened;
 * - `burst-short-of-one`: the same with one sweep too few;
 * - `deposit-left-out`: several deposits swept together, but for one in their midst;
 * - `incomplete-sweep`: a sweep of several deposits, and of one more that never came;
 * - `incomplete-split`: a deposit moved in parts, at least two of which came and at least one did not;
 * - `account-mismatch`: a deposit of one sub-account, swept from another;
 * - `asset-mismatch`: swept as an asset of another name, `USDT-TRC20` for `USDT`;
 * - `reversed`: swept, moved back to the sub-account, and in half of the cases swept again. `transfers` are in that order;
 * - `wrong-direction`: instead of a sweep, a transfer from the master account to the sub-account;
 * - `in-flight`: a deposit of the last half hour, not swept yet;
 * - `crowd-unswept`: a deposit without transfer among others of its amount (only with `crowd.unswept`): it cannot be named.
 */
export const Kind = Schema.Literals([
  "deposit-without-transfer",
  "transfer-without-deposit",
  "amount-off",
  "late",
  "early",
  "failed-transfer",
  "pending-deposit",
  "duplicate-transfer",
  "interchangeable-burst",
  "burst-short-of-one",
  "deposit-left-out",
  "incomplete-sweep",
  "incomplete-split",
  "account-mismatch",
  "asset-mismatch",
  "reversed",
  "wrong-direction",
  "in-flight",
  "crowd-unswept"
])
export type Kind = typeof Kind.Type

/** A break that was planted in a history. */
export const Break = Schema.Struct({
  kind: Kind,
  account: Schema.String,
  asset: Schema.String,
  /** Every record of this break, by txId and by tranId. */
  deposits: Schema.Array(Schema.String),
  transfers: Schema.Array(Schema.String),
  /** The deposits and transfers that really belong together: one and one, or several. */
  pairs: Schema.Array(Pair),
  groups: Schema.Array(Group)
}).annotate({ identifier: "TruthBreak" })
export type Break = typeof Break.Type

/** Every deposit and every transfer stands in exactly one pair, one group or one break. */
export const Truth = Schema.Struct({
  /** Ordinary sweeps: equal amounts, inside the window. */
  pairs: Schema.Array(Pair),
  /** Sweeps of several deposits and deposits moved in parts: equal sums, inside the window. */
  groups: Schema.Array(Group),
  breaks: Schema.Array(Break)
}).annotate({ identifier: "Truth" })
export type Truth = typeof Truth.Type
