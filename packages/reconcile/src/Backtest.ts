/**
 * Compares two policies: it shows what another policy would change in the outcomes of the same entries, before it counts.
 *
 * An entry changes when its outcome has another code, other entries, another residual or another number of certain pairs, or
 * was accepted by another decision or by none;
 * then its old and its new outcome are in one change, together with all outcomes that share entries with them. Every
 * entry either changes or stays.
 */
import * as Schema from "effect/Schema"
import * as Groups from "./internal/backtest/Groups.ts"
import * as Kinds from "./internal/backtest/Kind.ts"
import * as Overlap from "./internal/backtest/Overlap.ts"
import * as SharedAssets from "./internal/backtest/SharedAssets.ts"
import * as Mirror from "./Mirror.ts"
import * as Outcome from "./Outcome.ts"
import * as Policy from "./Policy.ts"
import * as Report from "./Report.ts"

/** The version of this schema. A reader of another version should refuse the comparison. */
const VERSION = 1

/**
 * The kind of a change: the code differs; or only the entries that belong together; or only the figures (the residual, or
 * the number of certain pairs of a class); or only the decision by which a person accepted it.
 */
export const Kind = Kinds.Kind
export type Kind = Kinds.Kind

/** The outcomes of the same entries under both policies. An entry outside of the range may have no outcome. */
export const Change = Schema.Struct({
  kind: Kind.annotateKey({
    description: "The most important of what differs: `partners`, then `code`, `figures` and `accepted`."
  }),
  before: Schema.Array(Report.ReportOutcome),
  after: Schema.Array(Report.ReportOutcome)
})
export type Change = typeof Change.Type

const Sides = Schema.Struct({
  deposits: Report.Total.fields.deposits,
  transfers: Report.Total.fields.transfers,
  net: Report.Total.fields.net
})

/** The control totals of one asset under both policies. */
const Total = Schema.Struct({
  asset: Schema.String.annotateKey({
    description: "The first name of the group: assets that either policy calls equal count as one here."
  }),
  assets: Schema.Array(Schema.String).annotateKey({ description: "The names that occur in the records, sorted." }),
  before: Sides,
  after: Sides
})

const Texts = Schema.Array(Schema.String)

/** A comparison of two policies over the same records. */
export const Backtest = Schema.Struct({
  version: Schema.Literal(VERSION),
  policies: Schema.Struct({ before: Policy.Resolved, after: Policy.Resolved }),
  warnings: Schema.Struct({ before: Texts, after: Texts }).annotateKey({
    description: "What each policy's run warned of."
  }),
  chance: Schema.optionalKey(Schema.Struct({ before: Mirror.Mirror, after: Mirror.Mirror })).annotateKey({
    description:
      "What each policy finds where no true pair can lie, where that was measured. No estimate of wrong pairs."
  }),
  entries: Schema.Struct({ changed: Schema.Int, same: Schema.Int }).annotateKey({
    description: "How many entries and records that could not be read change, and how many stay as they are."
  }),
  groups: Schema.Array(Groups.Group),
  codes: Schema.Array(Schema.Struct({ code: Outcome.Code, before: Schema.Int, after: Schema.Int })).annotateKey({
    description: "How many outcomes there are of each code, in the order of the codes."
  }),
  totals: Schema.Array(Total).annotateKey({
    description:
      "By asset, of the entries of the range: those of other days, in outcomes that reach into it, do not count."
  }),
  changes: Schema.Array(Change).annotateKey({
    description: "By importance (stated matches with other partners first), then by time."
  })
}).annotate({
  title: "Backtest",
  description: "What another policy would change: `before` is the policy in force, `after` the one that is tried."
})
export type Backtest = typeof Backtest.Type

/** Outcomes, and the policy that led to them. A `Report` is one. */
export interface Side {
  /** The policy, with its defaults filled in. */
  readonly policy: Policy.Resolved
  /** The outcomes to which the policy came. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  /** The range that was asked about, Unix ms: the totals count its entries. Default: everything. */
  readonly range?: Report.Summary["range"] | undefined
  /** What a reader should know, in sentences. */
  readonly warnings?: ReadonlyArray<string>
  /** Left out of the comparison unless both sides have one. */
  readonly chance?: Mirror.Mirror
}

const codes = (before: Side, after: Side): Backtest["codes"] => {
  const count = (code: Outcome.Code, { outcomes }: Side): number =>
    outcomes.reduce((sum, outcome) => outcome.code === code ? sum + 1 : sum, 0)
  return Outcome.Code.literals
    .map((code) => ({ code, before: count(code, before), after: count(code, after) }))
    .filter(({ after, before }) => before + after > 0)
}

/** Compares outcomes over the same entries under two policies. Swapping the two sides mirrors the result. */
export const compare = (before: Side, after: Side): Backtest => {
  const assets = SharedAssets.make([before.policy, after.policy])
  const { changes, changed, same } = Overlap.find(before.outcomes, after.outcomes)
  return {
    version: VERSION,
    policies: { before: before.policy, after: after.policy },
    warnings: { before: before.warnings ?? [], after: after.warnings ?? [] },
    ...(before.chance === undefined || after.chance === undefined
      ? {}
      : { chance: { before: before.chance, after: after.chance } }),
    entries: { changed: changed.length, same },
    groups: Groups.make(changed, assets),
    codes: codes(before, after),
    totals: SharedAssets.join(
      assets.totals(before.outcomes, before.range),
      assets.totals(after.outcomes, after.range)
    ),
    changes
  }
}
