/**
 * The report: what a run found out, with everything that is needed to judge it.
 *
 * Every number in it can be recomputed from the outcomes. Amounts are exact decimal text, times Unix ms.
 */
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import * as Digest from "./internal/report/Digest.ts"
import * as EntryJson from "./internal/report/EntryJson.ts"
import * as Scope from "./internal/report/Scope.ts"
import * as Statistics from "./internal/report/Statistics.ts"
import * as Totals from "./internal/report/Totals.ts"
import * as Unread from "./internal/report/Unread.ts"
import * as Outcome from "./Outcome.ts"
import * as Policy from "./Policy.ts"

/** The version of this schema: a reader that knows another one should refuse the report. */
export const VERSION = 1

export const Total = Totals.Total
export type Total = Totals.Total
export const Count = Statistics.Count
export type Count = Statistics.Count
export const Lags = Statistics.Lags
export type Lags = Statistics.Lags
export const Age = Statistics.Age
export type Age = Statistics.Age

/** An outcome as reports write it; in memory it is the outcome itself. */
export const ReportOutcome = Outcome.Outcome.mapFields((fields) => ({
  ...fields,
  deposits: EntryJson.entries("deposit"),
  transfers: EntryJson.entries("transfer")
}))

export const Report = Schema.Struct({
  version: Schema.Literal(VERSION),
  /** The entries that were asked about, `[from, to)`; null: all that were read. */
  range: Schema.NullOr(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  /** No discrepancy, nothing undetermined, no bad record, and all of the range was read. Two breaks that cancel out are two. */
  clean: Schema.Boolean,
  /** What `missing` means here, in one sentence. */
  meaning: Schema.String,
  policy: Policy.Resolved,
  /** The movements that count as the counterpart of a deposit. */
  flows: Policy.Resolved.fields.flows,
  accounts: Schema.Struct({
    master: Schema.Array(Schema.String),
    count: Schema.Int,
    complete: Schema.Boolean,
    digest: Schema.String
  }),
  addresses: Schema.Struct({ count: Schema.Int, digest: Schema.String }),
  coverage: Schema.Array(Coverage.Coverage),
  /** What of the range was not read: the gaps of `coverage`, and operations that nobody asked. */
  unread: Schema.Array(Coverage.Coverage),
  /** By asset, aliases together. */
  totals: Schema.Array(Total),
  matchRate: Statistics.MatchRate,
  counts: Schema.Array(Count),
  lags: Schema.NullOr(Lags),
  /** When the ages are counted to: the last reading. Null when nothing was read. */
  asOf: Schema.NullOr(Schema.Int),
  ageing: Schema.Array(Age),
  warnings: Schema.Array(Schema.String),
  outcomes: Schema.Array(ReportOutcome)
})
export type Report = typeof Report.Type

export interface Options {
  readonly range?: { readonly from: number; readonly to: number } | undefined
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
  readonly coverage: Iterable<Coverage.Coverage>
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly warnings: ReadonlyArray<string>
}

const lastReading = (coverage: ReadonlyArray<Coverage.Coverage>): number | null =>
  coverage.reduce<number | null>((latest, { readAt }) => (latest === null ? readAt : Math.max(latest, readAt)), null)

/** Makes the report of a run. */
export const make = (options: Options): Report => {
  const { accounts, addresses = [], outcomes, policy, range, warnings } = options
  const coverage = Coverage.merge(options.coverage)
  const totals = Totals.make(outcomes, policy)
  const asOf = lastReading(coverage)
  const unread = Unread.make(coverage, range)
  return {
    version: VERSION,
    range: range ?? null,
    clean: unread.length === 0 &&
      outcomes.every(({ code, outcome }) =>
        outcome !== "discrepancy" && outcome !== "undetermined" && code !== "bad-record"
      ),
    meaning: Scope.meaning(policy.flows, accounts, coverage),
    policy,
    flows: policy.flows,
    accounts: {
      master: Accounts.masterNames(accounts),
      count: accounts.list.length,
      complete: accounts.complete,
      digest: Digest.ofTexts(accounts.list)
    },
    addresses: {
      count: addresses.length,
      digest: Digest.ofTexts(
        addresses.map(({ account, address, memo, network }) => JSON.stringify([address, memo, network, account]))
      )
    },
    coverage,
    unread,
    totals,
    matchRate: Statistics.matchRate(totals),
    counts: Statistics.counts(outcomes),
    lags: Statistics.lags(outcomes),
    asOf,
    ageing: asOf === null ? [] : Statistics.ageing(outcomes, asOf),
    warnings,
    outcomes
  }
}

/** The operations of which nothing could be read in the range: then the run has not done its work. */
export const operationsUnread = ({ coverage, range }: Report): ReadonlyArray<Coverage.Coverage["operation"]> =>
  Unread.operationsUnread(coverage, range ?? undefined)

/** No discrepancy, nothing undetermined, no bad record, nothing unread. */
export const isClean = (report: Report): boolean => report.clean
