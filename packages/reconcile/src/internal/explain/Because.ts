/**
 * Holds the reasons why an outcome was decided and why an entry is its candidate, as data: a code, and the facts that are not
 * written in the outcome already. `Explanation` turns them into words.
 *
 * Amounts are exact decimal text. Times are Unix ms, lengths of time are ms.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import { Side } from "../../Entry.ts"
import { EntryStatus } from "../EntryStatus.ts"
import { Sum } from "../Sum.ts"

/** A number of things, or a length of time in ms: never negative. */
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** An entry by its side and id. */
export const Named = Schema.Struct({ side: Side, id: Schema.String })
export type Named = typeof Named.Type

/** A fee of the policy: `flat` in the asset, `rate` as a share. */
export const Fee = Schema.Struct({ flat: Amount.Amount, rate: Amount.Amount })
export type Fee = typeof Fee.Type

/** The difference between another version of an entry and the entry. */
export const Version = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("fields"),
    /** The first fields that differ; an absent value is null. */
    fields: Schema.Array(
      Schema.Struct({
        field: Schema.String,
        value: Schema.NullOr(Schema.String),
        instead: Schema.NullOr(Schema.String)
      })
    ),
    /** The number of further fields that differ. */
    more: Count
  }),
  /** The two differ in nothing that the entry shows. */
  Schema.Struct({ kind: Schema.Literal("unseen") }),
  Schema.Struct({ kind: Schema.Literal("unreadable") }),
  Schema.Struct({ kind: Schema.Literal("masked") })
])
export type Version = typeof Version.Type

/** The facts of an objection: what the source said that speaks against an entry. */
export const Objected = Schema.Struct({
  objection: Schema.Literals(["source-conflict", "vanished", "status-regressed"]),
  status: EntryStatus,
  /** The status that it went back from. `wasSeenAt` is when that was first seen. */
  was: Schema.optionalKey(EntryStatus),
  wasSeenAt: Schema.optionalKey(Schema.Int),
  /** The time when a complete reading no longer showed it. */
  vanishedAt: Schema.optionalKey(Schema.Int)
})
export type Objected = typeof Objected.Type

/** A reason that makes an outcome less certain than its rule does. Words are added in this order. */
export const Doubt = Schema.Literals([
  /** An entry of another outcome may belong here instead. */
  "in-another-outcome",
  /** An equal entry in dispute may be what is lacking. */
  "lacking-in-dispute",
  /** An equal entry in dispute may be the counterpart instead. */
  "counterpart-in-dispute",
  /** An entry of another amount that was told in several versions may be a counterpart. */
  "conflict-beside",
  "unusable-deposits",
  "unusable-transfers"
])
export type Doubt = typeof Doubt.Type

const reason = <const Code extends string, const Facts extends Schema.Struct.Fields>(code: Code, facts: Facts) =>
  Schema.Struct({ code: Schema.Literal(code), ...facts, doubts: Schema.optionalKey(Schema.Array(Doubt)) })

/**
 * Facts of a pair: the fee that explains its difference, if one does. In a pair whose amounts do not fit it is the fee that
 * leaves the least difference; the residual is that difference.
 */
const pair = { fee: Schema.optionalKey(Fee) }

/** Facts of a pair that is not in the window of the deposit's own time. */
const outside = {
  /** The time by which it lies outside the window, ms. */
  excessMs: Schema.optionalKey(Count),
  /** How long after its own time the deposit was first seen settled, ms. */
  delayMs: Schema.optionalKey(Count),
  /** How long after its own time the deposit was last seen unsettled, ms. */
  unsettledMs: Schema.optionalKey(Count)
}

/** The reason why an outcome was decided. */
export const Because = Schema.Union([
  // Pairs of one deposit and one transfer.
  reason("in-every-equal-pairing", {}),
  reason("nearest-in-time", pair),
  reason("asked-for", pair),
  reason("in-every-pairing", pair),
  reason("in-every-pairing-without-difference", pair),
  reason("nearest-without-difference", pair),
  reason("within-noise", pair),
  reason("same-reference", { ...pair, ...outside }),
  reason("same-reference-alone", pair),
  reason("same-account-alone", pair),
  reason("equal-alone", outside),
  reason("other-account", { depositAccount: Schema.String, transferAccount: Schema.String }),
  reason("other-direction", {}),
  reason("look-alike-asset", {}),
  // Several entries of one amount.
  reason("all-have-counterparts", {}),
  reason("short-of-counterparts", { unread: Count }),
  reason("counterparts-may-come", { ownWindows: Schema.Boolean }),
  reason("counterparts-unread", {}),
  // Sums.
  reason("sum", {
    ...pair,
    sum: Sum,
    amounts: Schema.Literals(["fee", "equal", "tolerance"]),
    /** Whether the members are all that is open in the window. */
    everything: Schema.Boolean,
    /** The number of open entries among which it is the only sum. */
    among: Count
  }),
  reason("sum-of-other-rules", { parts: Count }),
  reason("several-sums", { atLeast: Count }),
  reason("contested-sum", { ids: Schema.Array(Schema.String), parts: Count }),
  reason("sum-by-chance", { ids: Schema.Array(Schema.String), parts: Count, among: Count }),
  reason("sums-without-evidence", { among: Count }),
  reason("sums-not-searched", { among: Count, size: Schema.optionalKey(Count) }),
  reason("part-of-a-sum", { id: Schema.String, others: Count }),
  reason("part-not-searched", {}),
  reason("sum-falls-short", { sum: Sum }),
  // Not decided.
  reason("several-pairings", {}),
  reason("several-pairings-from-settlement", {}),
  reason("nearer-elsewhere", { as: Schema.Literals(["right", "late", "early"]) }),
  reason("outside-windows", {
    /** The numbers of entries of this amount, of which the members are some. */
    deposits: Count,
    transfers: Count,
    amount: Amount.Amount,
    asset: Schema.String
  }),
  reason("too-many-pairs", {
    common: Schema.Literals(["equal amounts", "amounts within tolerance", "one reference"]),
    pairs: Count,
    searched: Count
  }),
  reason("shared-reference", {}),
  reason("reference-does-not-fit", {}),
  // Left without a counterpart.
  reason("counterpart-unread", {}),
  reason("window-open", {
    /** The end of its window, Unix ms. Runs that were recorded before this was a fact lack it. */
    until: Schema.optionalKey(Schema.Int)
  }),
  reason("competitor-open", {}),
  reason("counterpart-went-nearer", { by: Schema.Literals(["time", "time or amount"]) }),
  reason("account-not-listed", {
    account: Schema.String,
    transfer: Schema.optionalKey(Schema.Struct({ id: Schema.String, amount: Amount.Amount, asset: Schema.String }))
  }),
  reason("candidate-unread", {}),
  reason("candidate-open", {}),
  reason("several-versions", {}),
  reason("counterpart-in-dispute", {}),
  reason("no-counterpart", {
    /** Whether equal counterparts are in other outcomes, of whatever kind. */
    taken: Schema.Boolean,
    /**
     * The time in which a counterpart would be, of which everything was read, Unix ms, both ends included. Runs that were recorded
     * before this was a fact lack it.
     */
    window: Schema.optionalKey(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
    /** Where the policy moves every deposit, if all its flows lead to one account. */
    to: Schema.optionalKey(Schema.String),
    /** Tells where something was not read that could change the outcome. */
    unknown: Schema.optionalKey(
      Schema.Literals(["around-unread", "around-open", "beside-unread", "beside-open"])
    )
  }),
  reason("matched-twin", { id: Schema.String, apartMs: Schema.Int, maySwap: Schema.Boolean }),
  // Not settled, or spoken against by what the source said before.
  reason("not-settled", {}),
  reason("attempts-failed", {}),
  reason("attempt-may-be-replaced", {}),
  reason("waits-for-settlement", { isOneAmount: Schema.Boolean }),
  reason("late-one-waits-for-settlement", {}),
  reason("objected", { side: Side }),
  reason("objected-alone", { taken: Schema.Boolean }),
  reason("told-in-versions", { versions: Count, others: Schema.Array(Version) }),
  reason("given-in-versions", {}),
  reason("unusable-record", {}),
  // By hand, or by the policy.
  reason("linked", { by: Schema.optionalKey(Schema.String), reason: Schema.optionalKey(Schema.String) }),
  reason("linked-with-absent", { absent: Schema.Array(Named) }),
  reason("excluded", { by: Schema.optionalKey(Schema.String), reason: Schema.optionalKey(Schema.String) }),
  reason("below-least", { least: Amount.Amount }),
  reason("out-of-flow", {}),
  reason("moved-back", {})
]).annotate({ identifier: "Because" })
export type Because = typeof Because.Type

const note = <const Code extends string, const Facts extends Schema.Struct.Fields>(code: Code, facts: Facts) =>
  Schema.Struct({ code: Schema.Literal(code), ...facts })

/** The place where an entry went that might belong elsewhere: to another entry, or into an outcome that states no pair. */
const where = { by: Schema.optionalKey(Named), outcome: Schema.optionalKey(Schema.String) }

/** The reason why an entry is a candidate of an outcome. */
export const Note = Schema.Union([
  note("other-account", {}),
  note("look-alike-asset", {}),
  note("other-direction", {}),
  note("failed", {}),
  note("may-be-the-whole", {}),
  note("open-of-same-account", {}),
  note("part-if-settled", {}),
  note("part-from-settlement", {}),
  note("late-for-several", {}),
  note("late-but-taken", {}),
  note("may-be-late", { isSettled: Schema.Boolean }),
  note("outside-window", { excessMs: Count, as: Schema.Literals(["late", "early"]) }),
  note("beyond-lateness", { lagMs: Schema.Int }),
  /** The difference is what remains after `fee`, if a fee makes it smaller. */
  note("other-amount", { difference: Sum, ...pair }),
  /** The difference, after `fee` if one makes it smaller, exceeds `accepted`. That is "0" if no difference is accepted. */
  note("near-amount", { difference: Sum, accepted: Sum, ...pair }),
  note("farther-in-time", { apartMs: Count, ownMs: Count }),
  note("worse-fit", {
    residual: Sum,
    apartMs: Count,
    ownResidual: Sum,
    ownMs: Count
  }),
  note("fits-deposit", { residual: Sum, deposit: Schema.String, lagMs: Schema.Int }),
  note("fits-but-taken", { by: Schema.optionalKey(Named) }),
  note("equal", {}),
  note("equal-but-moved-back", {}),
  /** `decidedBy` of the outcome that holds the candidate. */
  note("equal-but-taken", { ...where, decidedBy: Schema.optionalKey(Schema.String) }),
  note("may-belong-here", {
    how: Schema.Literals(["horizon", "other-direction", "other-account", "settlement"]),
    ...where
  }),
  note("in-sets", {
    sets: Schema.Array(Schema.Struct({ size: Count, set: Count })).check(Schema.isMinLength(1)),
    /** The least number of sets. */
    atLeast: Count
  }),
  note("twin", { apartMs: Schema.Int, outcome: Schema.String }),
  note("versions", { versions: Count }),
  /** The version that lies near is of another amount. */
  note("unlike-versions", { versions: Count }),
  note("version", { version: Version }),
  note("objected", { objected: Objected })
]).annotate({ identifier: "Note" })
export type Note = typeof Note.Type
