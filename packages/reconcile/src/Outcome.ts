/** An outcome says what became of one entry or of several. Every entry ends in exactly one outcome. */
import * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"
import { Because, Note } from "./internal/explain/Because.ts"
import { Sum } from "./internal/Sum.ts"

export {
  /** Why an outcome was decided, as data: a code, and the facts that the other fields do not hold. */
  Because,
  /** Why an entry is a candidate, as data. */
  Note
} from "./internal/explain/Because.ts"

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
  pending: ["in-flight", "unconfirmed"],
  undetermined: ["unknown-status", "coverage-gap"],
  "set-aside": ["excluded", "bad-record", "not-settled", "out-of-flow"]
} as const

/** The kind of an outcome: a match, a break, or entries that are pending, undetermined or set aside. */
export const Kind = Schema.Literals(["matched", "discrepancy", "pending", "undetermined", "set-aside"])
export type Kind = typeof Kind.Type

/** The code of an outcome, which says why it is what it is. */
export const Code = Schema.Literals([
  ...codes.matched,
  ...codes.discrepancy,
  ...codes.pending,
  ...codes.undetermined,
  ...codes["set-aside"]
])
export type Code = typeof Code.Type

/**
 * A candidate: an entry that was considered and not taken, or that serves as evidence, and the reason. It is no member of
 * the outcome, except for the other versions of a `source-conflict`, and for the pairs that an `ambiguous` could be made of.
 */
export class Candidate extends Schema.Opaque<Candidate>()(
  Schema.Struct({
    side: Entry.Side,
    id: Schema.String,
    /** Why, in words. */
    reason: Schema.String.annotateKey({ description: "Why, in words." }),
    /** Why, as data. Reports of version 0.1 lack it. */
    because: Schema.optionalKey(Note).annotateKey({
      description: "Why, as data. Reports of version 0.1 lack it."
    })
  }).annotate({ identifier: "Candidate" })
) {}

/** One pair inside an outcome of several. It is a convention (first in, first out) where the members are interchangeable. */
export class Pair extends Schema.Opaque<Pair>()(
  Schema.Struct({ deposit: Schema.String, transfer: Schema.String, lagMs: Schema.Int }).annotate({
    identifier: "Pair"
  })
) {}

/** Who accepted an outcome, and why: it is known and explained, so that nobody has to care for it any more. */
export class Accepted extends Schema.Opaque<Accepted>()(
  Schema.Struct({
    /** The number of the decision in the ledger of the archive. */
    decision: Schema.Int.annotateKey({ description: "The number of the decision in the ledger of the archive." }),
    /** Who accepted it; `NAME (claimed)` is a name that nobody checked. */
    by: Schema.String.annotateKey({
      description: "Who accepted it; `NAME (claimed)` is a name that nobody checked."
    }),
    /** Why, in a word that can be counted. */
    reason: Schema.String.annotateKey({ description: "Why, in a word that can be counted." }),
    /** Why, in the words of whoever accepted it. */
    words: Schema.String.annotateKey({ description: "Why, in the words of whoever accepted it." }),
    /** It was accepted before it was final; absent where it was final. */
    provisional: Schema.optionalKey(Schema.Literal(true)).annotateKey({
      description: "It was accepted before it was final; absent where it was final."
    })
  }).annotate({ identifier: "Accepted" })
) {}

/** One outcome. */
export class Outcome extends Schema.Opaque<Outcome>()(
  Schema.Struct({
    /** Stable across runs: a hash of the code and the identities. */
    id: Schema.String.annotateKey({ description: "Stable across runs: a hash of the code and the identities." }),
    /** What kind of outcome the code is. */
    outcome: Kind.annotateKey({ description: "What kind of outcome the code is." }),
    /** What became of the entries. */
    code: Code.annotateKey({ description: "What became of the entries." }),
    /**
     * Whether reading more (a longer range) can no longer change its code and its entries, and no entry of another outcome that
     * was read may belong here instead.
     */
    final: Schema.Boolean.annotateKey({
      description:
        "Whether reading more (a longer range) can no longer change its code and its entries, and no entry of " +
        "another outcome that was read may belong here instead."
    }),
    /**
     * The earliest moment at which it can be final, Unix ms: until everything before it was read, the entries stay without a final outcome, unless
     * they are matched or reversed by then. It is final later where something new may belong to it, or where what it was compared with
     * waits for longer. Absent where it is final, and where no such moment is known: other things than time decide it. Reports of earlier versions lack it.
     */
    finalFrom: Schema.optionalKey(Schema.Int).annotateKey({
      description:
        "The earliest moment at which it can be final, Unix ms: until everything before it was read, the entries stay without a " +
        "final outcome, unless they are matched or reversed by then. It is final later where something new may belong to it, or " +
        "where what it was compared with waits for longer. Absent where it is final, and where no such moment is known: other " +
        "things than time decide it. Reports of earlier versions lack it."
    }),
    /** The deposits whose one outcome this is, by time and id. */
    deposits: Schema.Array(Entry.Entry).annotateKey({
      description: "The deposits whose one outcome this is, by time and id."
    }),
    /** The transfers whose one outcome this is, by time and id. */
    transfers: Schema.Array(Entry.Entry).annotateKey({
      description: "The transfers whose one outcome this is, by time and id."
    }),
    /** Transfer time minus deposit time in ms, when it is one pair. */
    lagMs: Schema.NullOr(Schema.Int).annotateKey({
      description: "Transfer time minus deposit time in ms, when it is one pair."
    }),
    /** What the transfers differ from what was expected, exact; null where no pairing is stated. */
    residual: Schema.NullOr(Sum).annotateKey({
      description: "What the transfers differ from what was expected, exact; null where no pairing is stated."
    }),
    /**
     * What settled a pair: every maximum matching of the candidates contains it (`forced`), nearness in time (`time`), an amount
     * that is exactly what a fee leaves, or whose residual the policy takes for noise (`amount`), a shared key (`reference`), a
     * link by hand (`link`), or nothing did and one was asked for (`assigned`).
     */
    decidedBy: Schema.optionalKey(Schema.Literals(["forced", "time", "assigned", "amount", "reference", "link"]))
      .annotateKey({
        description:
          "What settled a pair: every maximum matching of the candidates contains it (`forced`), nearness in time (`time`), an " +
          "amount that is exactly what a fee leaves, or whose residual the policy takes for noise (`amount`), a shared key " +
          "(`reference`), a link by hand (`link`), or nothing did and one was asked for (`assigned`)."
      }),
    /** The rule of the policy that was applied, in words: a fee, a tolerance, a link's reason. */
    rule: Schema.optionalKey(Schema.String).annotateKey({
      description: "The rule of the policy that was applied, in words: a fee, a tolerance, a link's reason."
    }),
    /** Pairs inside an outcome of several; conventional (first in, first out) where the members are interchangeable. */
    pairs: Schema.optionalKey(Schema.Array(Pair)).annotateKey({
      description:
        "Pairs inside an outcome of several; conventional (first in, first out) where the members are interchangeable."
    }),
    /** Of several entries: how many pairs can be made of them at most, whichever they are. */
    matchedCount: Schema.optionalKey(Schema.Int).annotateKey({
      description: "Of several entries: how many pairs can be made of them at most, whichever they are."
    }),
    /**
     * How many of its entries remain open, whichever they are: those that are left when as many pairs as possible are made, or
     * the one of which a sum falls short.
     */
    openCount: Schema.optionalKey(Schema.Int).annotateKey({
      description:
        "How many of its entries remain open, whichever they are: those that are left when as many pairs as possible are " +
        "made, or the one of which a sum falls short."
    }),
    /** What is open, exact: the sum of the open entries of one amount, or the part of an entry of which a sum falls short. */
    openSum: Schema.optionalKey(Sum).annotateKey({
      description:
        "What is open, exact: the sum of the open entries of one amount, or the part of an entry of which a sum falls short."
    }),
    /** What happened, in a few sentences for an accountant. Their times are UTC. */
    explanation: Schema.String.annotateKey({
      description: "What happened, in a few sentences for an accountant. Their times are UTC."
    }),
    /** Why it was decided, as data: the explanation is made of this and of the other fields. Reports of version 0.1 lack it. */
    because: Schema.optionalKey(Because).annotateKey({
      description:
        "Why it was decided, as data: the explanation is made of this and of the other fields. Reports of version 0.1 lack it."
    }),
    /**
     * Entries that were considered and not taken, or that serve as evidence, and why. Of unlike amounts those with the smallest
     * residuals, in this order.
     */
    candidates: Schema.Array(Candidate).annotateKey({
      description:
        "Entries that were considered and not taken, or that serve as evidence, and why. Of unlike amounts those with the " +
        "smallest residuals, in this order."
    }),
    /** What was not read: of a `coverage-gap` what would decide it, of what is missing what could tell it otherwise. */
    missing: Schema.optionalKey(Coverage.Coverage).annotateKey({
      description:
        "What was not read: of a `coverage-gap` what would decide it, of what is missing what could tell it otherwise."
    }),
    /** `bad-record`: the record as it came. */
    bad: Schema.optionalKey(BadRecord.BadRecord).annotateKey({ description: "`bad-record`: the record as it came." }),
    /**
     * A break that a person accepted as it is: its entries count as set aside, but for the pairs of a class, and it keeps
     * nothing from agreeing.
     */
    accepted: Schema.optionalKey(Accepted).annotateKey({
      description:
        "A break that a person accepted as it is: its entries count as set aside, but for the pairs of a class, and it " +
        "keeps nothing from agreeing."
    })
  }).annotate({ identifier: "Outcome" })
) {}

/** Returns the lags of the pairs that the outcome states as facts, ms. Pairs that are shown by convention do not count. */
export const statedLags = ({ code, lagMs, outcome, pairs }: Outcome): ReadonlyArray<number> => {
  if (outcome !== "matched" || code === "class-balanced") return []
  return lagMs !== null ? [lagMs] : (pairs ?? []).map((pair) => pair.lagMs)
}

/** The time of the earliest entry of an outcome, Unix ms; infinite where it has none, as a record that is no entry. */
export const earliest = ({ deposits, transfers }: Pick<Outcome, "deposits" | "transfers">): number =>
  Math.min(deposits[0]?.at ?? Number.POSITIVE_INFINITY, transfers[0]?.at ?? Number.POSITIVE_INFINITY)
