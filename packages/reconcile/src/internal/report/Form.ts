/** The form of a report: every field with what it means. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Entry from "../../Entry.ts"
import * as Outcome from "../../Outcome.ts"
import * as Policy from "../../Policy.ts"
import * as InRange from "../InRange.ts"
import * as BooksForm from "./BooksForm.ts"
import * as EntryJson from "./EntryJson.ts"
import { Identity } from "./IdentityForm.ts"
import * as Lags from "./Lags.ts"
import * as Statistics from "./Statistics.ts"
import * as Totals from "./Totals.ts"

/**
 * The version of this schema. A reader of another version should refuse the report. Reports of version 1 are read too: their
 * totals, counts, rates, lags and ages count entries and outcomes of other days among those of the range.
 */
export const VERSION = 2

/** An outcome as reports write it; in memory it is the outcome itself. */
export const ReportOutcome = Outcome.Outcome.mapFields((fields) => ({
  ...fields,
  deposits: EntryJson.entries("deposit"),
  transfers: EntryJson.entries("transfer")
})).annotate({ identifier: "Outcome" })

const writtenBy = (write: (entry: Entry.Entry) => typeof EntryJson.Written.Type) => (outcome: Outcome.Outcome) => ({
  id: outcome.id,
  outcome: outcome.outcome,
  code: outcome.code,
  final: outcome.final,
  deposits: outcome.deposits.map((entry) => write(entry)),
  transfers: outcome.transfers.map((entry) => write(entry)),
  lagMs: outcome.lagMs,
  residual: outcome.residual,
  decidedBy: outcome.decidedBy,
  rule: outcome.rule,
  pairs: outcome.pairs?.map(({ deposit, lagMs, transfer }) => ({ deposit, transfer, lagMs })),
  matchedCount: outcome.matchedCount,
  openCount: outcome.openCount,
  openSum: outcome.openSum,
  explanation: outcome.explanation,
  because: outcome.because,
  candidates: outcome.candidates.map(({ because, id, reason, side }) => ({ side, id, reason, because })),
  missing: outcome.missing,
  bad: outcome.bad,
  accepted: outcome.accepted
})

/**
 * Returns an outcome of the engine as reports write it, ready for `JSON.stringify`, which leaves out whatever is undefined: what the
 * schema makes of it, in the same order and in a tenth of the time. Its entries do not say whether they lie in a range.
 */
export const written = writtenBy((entry) => EntryJson.write(entry))

/** Does the same for a report of this range (null: all that was read): each entry says in `inRange` whether it lies in it. */
export const writtenIn = (range: InRange.Range) => {
  const isInRange = InRange.isInRange(range)
  return writtenBy((entry) => EntryJson.write(entry, isInRange(entry)))
}

/** A report: its summary, and every outcome of its range. */
export class Report extends Schema.Opaque<Report>()(
  Schema.Struct({
    /**
     * The version of this form: a reader that knows another one should refuse the report. In version 1, totals, counts, rates, lags
     * and ages also count what belongs to other days.
     */
    version: Schema.Literals([1, VERSION]).annotateKey({
      description:
        "The version of this form: a reader that knows another one should refuse the report. In version 1, totals, counts, rates, " +
        "lags and ages also count what belongs to other days."
    }),
    /** Which report this is, for whoever cites it; absent where nobody said anything of it. */
    identity: Schema.optionalKey(Identity).annotateKey({
      description: "Which report this is, for whoever cites it; absent where nobody said anything of it."
    }),
    /** The entries that were asked about, `[from, to)`; null: all that were read. */
    range: Schema.NullOr(Schema.Struct({ from: Schema.Int, to: Schema.Int })).annotateKey({
      description: "The entries that were asked about, `[from, to)`; null: all that were read."
    }),
    /**
     * No entry of the range is in a break that nobody accepted, or in what is undetermined; there is no bad record, all of the
     * range was read, and no decision contradicts the records or the policy. Two breaks that cancel out are two.
     */
    clean: Schema.Boolean.annotateKey({
      description:
        "No entry of the range is in a break that nobody accepted, or in what is undetermined; there is no bad record, all " +
        "of the range was read, and no decision contradicts the records or the policy. Two breaks that cancel out are two."
    }),
    /** The scope: which movements and accounts count. Under a tolerance it says what `forced` means, too. */
    meaning: Schema.String.annotateKey({
      description: "The scope: which movements and accounts count. Under a tolerance it says what `forced` means, too."
    }),
    /** The policy that was applied, defaults filled in, durations in ms. */
    policy: Policy.Resolved.annotateKey({
      description: "The policy that was applied, defaults filled in, durations in ms."
    }),
    /** The movements that count as the counterpart of a deposit. */
    flows: Policy.Resolved.fields.flows.annotateKey({
      description: "The movements that count as the counterpart of a deposit."
    }),
    /** The accounts of the run. */
    accounts: Schema.Struct({
      /** The names of the master account. */
      master: Schema.Array(Schema.String).annotateKey({ description: "The names of the master account." }),
      /** How many sub-accounts. */
      count: Schema.Int.annotateKey({ description: "How many sub-accounts." }),
      /** Whether somebody vouched that there are no others, or the exchange's own list was proven to have no others. */
      complete: Schema.Boolean.annotateKey({
        description:
          "Whether somebody vouched that there are no others, or the exchange's own list was proven to have no others."
      }),
      /** When the exchange's own list was proven to have no others, Unix ms. Absent where somebody vouched for that. */
      provenAt: Schema.optionalKey(Schema.Int).annotateKey({
        description:
          "When the exchange's own list was proven to have no others, Unix ms. Absent where somebody vouched for that."
      }),
      /** 16 hex digits that tell two lists of names apart; no protection against anybody. */
      digest: Schema.String.annotateKey({
        description: "16 hex digits that tell two lists of names apart; no protection against anybody."
      })
    }).annotateKey({ description: "The accounts of the run." }),
    /** How many addresses the address book had, and a digest of them. */
    addresses: Schema.Struct({ count: Schema.Int, digest: Schema.String }).annotateKey({
      description: "How many addresses the address book had, and a digest of them."
    }),
    /** What is known about the completeness of what was read. */
    coverage: Schema.Array(Coverage.Coverage).annotateKey({
      description: "What is known about the completeness of what was read."
    }),
    /**
     * What of the range was not read: its gaps and what is open of `coverage`, and what nobody asked for. Without a range: of
     * what was read, and of the time of its entries.
     */
    unread: Schema.Array(Coverage.Coverage).annotateKey({
      description:
        "What of the range was not read: its gaps and what is open of `coverage`, and what nobody asked for. Without a range: " +
        "of what was read, and of the time of its entries."
    }),
    /** By asset, aliases together: the entries of the range, and apart from them those of other days. */
    totals: Schema.Array(Totals.Total).annotateKey({
      description: "By asset, aliases together: the entries of the range, and apart from them those of other days."
    }),
    /** How many entries of the range are matched on each side, of how many that count. */
    matchRate: Statistics.MatchRate.annotateKey({
      description: "How many entries of the range are matched on each side, of how many that count."
    }),
    /** By code, in the order of the codes: what belongs to the range, and apart from it what belongs to other days. */
    counts: Schema.Array(Statistics.Count).annotateKey({
      description:
        "By code, in the order of the codes: what belongs to the range, and apart from it what belongs to other days."
    }),
    /**
     * How many outcomes of the range cannot be decided only because nobody says whose the address of a deposit is; absent where none
     * is.
     */
    unattributed: Schema.optionalKey(Schema.Int).annotateKey({
      description:
        "How many outcomes of the range cannot be decided only because nobody says whose the address of a deposit is; absent " +
        "where none is."
    }),
    /** How many outcomes of other days cannot be decided for the same reason; absent where none is. */
    unattributedOfOtherDays: Schema.optionalKey(Schema.Int).annotateKey({
      description: "How many outcomes of other days cannot be decided for the same reason; absent where none is."
    }),
    /** How long after its deposit a transfer came, ms, in the outcomes that belong to the range; null without a pair. */
    lags: Schema.NullOr(Lags.Lags).annotateKey({
      description:
        "How long after its deposit a transfer came, ms, in the outcomes that belong to the range; null without a pair."
    }),
    /** When the ages are counted to: the last reading. Null when nothing was read. */
    asOf: Schema.NullOr(Schema.Int).annotateKey({
      description: "When the ages are counted to: the last reading. Null when nothing was read."
    }),
    /** Breaks by the age of their earliest entry at `asOf`. */
    ageing: Schema.Array(Statistics.Age).annotateKey({
      description: "Breaks by the age of their earliest entry at `asOf`."
    }),
    /** What people decided about entries in an archive, and how far it was followed; absent where nothing was decided. */
    decisions: Schema.optionalKey(Schema.Struct({
      /** The end of the archive's ledger up to which decisions were followed: its number, and its id. */
      head: Schema.Struct({ number: Schema.Int, id: Schema.String }).annotateKey({
        description: "The end of the archive's ledger up to which decisions were followed: its number, and its id."
      }),
      /** So many of them are among the links, exclusions and forbidden pairs of `policy`, or accept an outcome. */
      applied: Schema.Int.annotateKey({
        description:
          "So many of them are among the links, exclusions and forbidden pairs of `policy`, or accept an outcome."
      }),
      /** What could not be followed. Where there is anything, the books are not clean. */
      faults: Schema.Array(Schema.Struct({
        /** The number of the decision. */
        decision: Schema.Int.annotateKey({ description: "The number of the decision." }),
        /** The decision itself is not followed, or a line of the policy because of it. */
        of: Schema.Literals(["decision", "policy"]).annotateKey({
          description: "The decision itself is not followed, or a line of the policy because of it."
        }),
        /** What is not followed, and why, in a sentence. */
        text: Schema.String.annotateKey({ description: "What is not followed, and why, in a sentence." }),
        /** The entries that the sentence names. */
        entries: Schema.Array(Schema.Struct({ side: Entry.Side, id: Schema.String })).annotateKey({
          description: "The entries that the sentence names."
        })
      })).annotateKey({
        description: "What could not be followed. Where there is anything, the books are not clean."
      })
    })).annotateKey({
      description:
        "What people decided about entries in an archive, and how far it was followed; absent where nothing was decided."
    }),
    /**
     * Whether the archive has time that the run did not read, and that may change what is not final: an outcome comes within the
     * policy's horizon of it. Absent where none does, and of runs that are no executions of the books.
     */
    mayChange: Schema.optionalKey(Schema.Boolean).annotateKey({
      description:
        "Whether the archive has time that the run did not read, and that may change what is not final: an outcome comes within " +
        "the policy's horizon of it. Absent where none does, and of runs that are no executions of the books."
    }),
    /** What became of the books of an archive by this run; absent where it brought none forward. */
    books: Schema.optionalKey(BooksForm.Books).annotateKey({
      description: "What became of the books of an archive by this run; absent where it brought none forward."
    }),
    /** What a reader should know, in sentences. */
    warnings: Schema.Array(Schema.String).annotateKey({ description: "What a reader should know, in sentences." }),
    /**
     * Every entry that lies in the range, in exactly one outcome. An outcome with entries of several days is in the report of each
     * of them, and belongs to one: that of its first deposit or, where it has none, of its first transfer.
     */
    outcomes: Schema.Array(ReportOutcome).annotateKey({
      description:
        "Every entry that lies in the range, in exactly one outcome. An outcome with entries of several days is in the report of " +
        "each of them, and belongs to one: that of its first deposit or, where it has none, of its first transfer."
    })
  }).annotate({
    identifier: "Report",
    title: "Report",
    description:
      "What a run found out. Amounts are exact decimal text, times are Unix milliseconds, lengths of time are " +
      "milliseconds."
  })
) {}

/** The report without its outcomes. A stream of outcomes ends with it. */
export class Summary extends Schema.Opaque<Summary>()(
  Report.mapFields(Struct.omit(["outcomes"])).annotate({
    identifier: "Summary",
    title: "Summary",
    description: "A report without its outcomes."
  })
) {}
