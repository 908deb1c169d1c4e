/** The policy with all defaults filled in and all durations in ms. Every report shows it in this form. */
import * as Amount from "@tallystick/core/Amount"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Written from "./Written.ts"

const Window = Schema.Struct({
  /** How long before its deposit a transfer may come, ms. */
  before: Schema.Int,
  /** How long behind its deposit a transfer may come, ms. */
  after: Schema.Int
})

const Tolerance = Schema.Struct({
  /** The amounts may differ by so much, in units of the asset. */
  absolute: Amount.Amount,
  /** The amounts may differ by this share of `base`. */
  relative: Amount.Amount,
  base: Schema.Literals(["deposit", "transfer", "larger"]),
  inclusive: Schema.Boolean,
  maxShare: Amount.Amount
})

/** A fee: the transfer of a deposit should amount to `deposit − flat − rate × deposit`. */
export const Fee = Schema.Struct({
  asset: Schema.optionalKey(Schema.String),
  flat: Amount.Amount,
  rate: Amount.Amount
})
export type Fee = typeof Fee.Type

// Runs that were recorded before this was a setting had no such size.
const Noise = Schema.Struct({
  residual: Amount.Amount.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("0")))
})

/** The rule for a deposit: window, lateness, tolerance, and the size below which a residual is noise. */
export const Rule = Schema.Struct({
  /** When a transfer may come: `−before ≤ lag ≤ after`, ms; 1 minute before to 1 hour behind unless written. */
  window: Window,
  /** How far outside the window an equal transfer is still `late` or `early`, ms; 23 hours unless written. */
  late: Schema.Int,
  /** How far the amounts may differ; not at all unless written. */
  tolerance: Tolerance,
  /** The size below which a residual is noise, in units of the asset. */
  ambiguity: Noise
})
export type Rule = typeof Rule.Type

const StatusCode = Schema.Union([Schema.Int, Schema.String])
const StatusCodes = Schema.Struct({
  settled: Schema.Array(StatusCode),
  pending: Schema.Array(StatusCode),
  failed: Schema.Array(StatusCode)
})

/** A policy with its defaults filled in and its durations in ms. */
export class Resolved extends Schema.Opaque<Resolved>()(
  Schema.Struct({
    ...Rule.fields,
    // Runs that were recorded before this was a setting counted from the deposit's own time.
    lagFrom: Schema.Literals(["seen", "settled"]).pipe(
      Schema.withDecodingDefaultTypeKey(Effect.succeed("seen" as const))
    ),
    /** Fees that a transfer of an asset may have cost. */
    fees: Schema.Array(Fee),
    /** The rules of single assets, or of one network of them. */
    per: Schema.Array(
      Schema.Struct({ asset: Schema.String, network: Schema.optionalKey(Schema.String), ...Rule.fields })
    ),
    /** Whether one transfer may move several deposits, and several transfers one deposit, and how many at most. */
    grouping: Schema.Struct({
      manyToOne: Schema.Boolean,
      oneToMany: Schema.Boolean,
      maxSize: Schema.Int,
      maxRun: Schema.Int
    }),
    /** What is done where time and amount leave several answers. */
    ambiguity: Schema.Struct({ mode: Written.Mode, ratio: Schema.Finite, rivals: Schema.Int, ...Noise.fields }),
    /** What an equal reference means for a pair. */
    reference: Written.ReferenceMode,
    /** Names that mean one asset. */
    assets: Schema.Struct({ aliases: Schema.Array(Schema.Array(Schema.String)) }),
    /** The movements that count as the counterpart of a deposit. */
    flows: Schema.Array(Written.Flow),
    /** What the source's status words and codes mean, by side. */
    statuses: Schema.Struct({ deposit: StatusCodes, transfer: StatusCodes }),
    /** Entries of smaller amounts are set aside, by asset. */
    minAmount: Schema.Record(Schema.String, Amount.Amount),
    /** Entries that are set aside. */
    exclude: Schema.Array(Written.Exclusion),
    /** Entries that somebody says belong together. */
    links: Schema.Array(Written.Link),
    /** Pairs that somebody says do not belong together. */
    forbid: Schema.Array(Written.Forbidden)
  }).annotate({ identifier: "ResolvedPolicy" })
) {}

const MINUTE = 60_000
const HOUR = 3_600_000

const base: Rule = {
  window: { before: MINUTE, after: HOUR },
  late: 23 * HOUR,
  tolerance: { absolute: "0", relative: "0", base: "deposit", inclusive: true, maxShare: "0.5" },
  ambiguity: { residual: "0" }
}

type Written = Pick<Written.Policy, "window" | "late" | "tolerance"> & {
  readonly ambiguity?: Partial<Rule["ambiguity"]>
}

const overridden = (rule: Rule, written: Written): Rule => {
  const millis = (value: string | number | undefined, fallback: number): number =>
    value === undefined ? fallback : Written.toMillis(value) ?? fallback
  return {
    window: {
      before: millis(written.window?.before, rule.window.before),
      after: millis(written.window?.after, rule.window.after)
    },
    late: millis(written.late, rule.late),
    tolerance: { ...rule.tolerance, ...written.tolerance },
    ambiguity: { residual: written.ambiguity?.residual ?? rule.ambiguity.residual }
  }
}

/** Fills in the defaults and turns durations into ms. */
export const resolve = (written: Written.Policy): Resolved => {
  const ambiguity = typeof written.ambiguity === "string" ? { mode: written.ambiguity } : written.ambiguity
  const rule = overridden(base, { ...written, ambiguity: ambiguity ?? {} })
  return {
    ...rule,
    lagFrom: written.lagFrom ?? "settled",
    fees: (written.fees ?? []).map((fee) => Object.assign({}, { flat: "0", rate: "0" }, fee)),
    per: (written.per ?? []).map((per) =>
      Object.assign(
        per.network === undefined ? {} : { network: per.network },
        { asset: per.asset },
        overridden(rule, per)
      )
    ),
    grouping: { manyToOne: true, oneToMany: true, maxSize: 8, maxRun: 1000, ...written.grouping },
    ambiguity: { mode: "report", ratio: 2, rivals: 5, ...rule.ambiguity, ...ambiguity },
    reference: written.reference ?? "prefer",
    assets: { aliases: written.assets?.aliases ?? [] },
    flows: written.flows ?? [{ from: "*", to: "master" }],
    statuses: {
      deposit: {
        settled: [5],
        pending: [1, 2, 3, 4, 6, 9, 12],
        failed: [7, 8, 10, 11],
        ...written.statuses?.deposit
      },
      transfer: { settled: ["SUCCESS"], pending: ["WAIT"], failed: ["FAILED"], ...written.statuses?.transfer }
    },
    minAmount: written.minAmount ?? {},
    exclude: written.exclude ?? [],
    links: written.links ?? [],
    forbid: written.forbid ?? []
  }
}
