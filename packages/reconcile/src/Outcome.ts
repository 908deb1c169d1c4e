/** What became of an entry: every entry ends in exactly one outcome. */
import * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"

/** The five kinds of outcome, and the codes of each. */
export const codes = {
  matched: ["linked", "reference", "exact", "tolerant", "fee", "grouped", "class-balanced"],
  discrepancy: [
    "missing-transfer",
    "missing-deposit",
    "amount-mismatch",
    "late",
    "early",
    "class-short",
    "ambiguous",
    "split-incomplete",
    "split-ambiguous",
    "search-exhausted",
    "failed-attempt",
    "wrong-direction",
    "account-mismatch",
    "reversed",
    "duplicate-suspect",
    "source-conflict",
    "vanished",
    "status-regressed",
    "asset-mismatch"
  ],
  pending: ["in-flight", "unconfirmed", "unknown-status"],
  undetermined: ["coverage-gap"],
  "set-aside": ["excluded", "bad-record", "not-settled", "out-of-flow"]
} as const

export const Kind = Schema.Literals(["matched", "discrepancy", "pending", "undetermined", "set-aside"])
export type Kind = typeof Kind.Type

export const Code = Schema.Literals([
  ...codes.matched,
  ...codes.discrepancy,
  ...codes.pending,
  ...codes.undetermined,
  ...codes["set-aside"]
])
export type Code = typeof Code.Type

/** An entry that was considered and not taken, or that serves as evidence, and why. */
export const Candidate = Schema.Struct({ side: Entry.Side, id: Schema.String, reason: Schema.String })
export type Candidate = typeof Candidate.Type

/** One pair inside an outcome of several; conventional (first in, first out) where the members are interchangeable. */
export const Pair = Schema.Struct({ deposit: Schema.String, transfer: Schema.String, lagMs: Schema.Int })
export type Pair = typeof Pair.Type

/** One outcome. `deposits` and `transfers` hold only entries whose one outcome this is, each ordered by time and id. */
export const Outcome = Schema.Struct({
  /** Stable across runs: a hash of the code and the identities. */
  id: Schema.String,
  outcome: Kind,
  code: Code,
  /** Whether reading more (a longer range) can no longer change it. */
  final: Schema.Boolean,
  deposits: Schema.Array(Entry.Entry),
  transfers: Schema.Array(Entry.Entry),
  /** Transfer time minus deposit time in ms, when it is one pair. */
  lagMs: Schema.NullOr(Schema.Int),
  /** What the transfers differ from what was expected, exact; null where no pairing is stated. */
  residual: Schema.NullOr(Schema.String),
  /** What settled a pair: no other maximum matching exists (`forced`), or time did (`time`), or it was asked for (`assigned`). */
  decidedBy: Schema.optionalKey(Schema.Literals(["forced", "time", "assigned", "amount", "reference", "link"])),
  /** The rule of the policy that was applied, in words: a fee, a tolerance, a link's reason. */
  rule: Schema.optionalKey(Schema.String),
  pairs: Schema.optionalKey(Schema.Array(Pair)),
  /** Classes: how many pairs certainly exist, whichever they are. */
  matchedCount: Schema.optionalKey(Schema.Int),
  /** Classes: how many entries certainly remain open, and what they sum to. */
  openCount: Schema.optionalKey(Schema.Int),
  openSum: Schema.optionalKey(Schema.String),
  /** One sentence for an accountant. */
  explanation: Schema.String,
  candidates: Schema.Array(Candidate),
  /** `coverage-gap`: what was not read. */
  missing: Schema.optionalKey(Coverage.Coverage),
  /** `bad-record`: the record as it came. */
  bad: Schema.optionalKey(BadRecord.BadRecord)
})
export type Outcome = typeof Outcome.Type
