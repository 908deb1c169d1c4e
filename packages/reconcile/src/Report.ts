/**
 * The report: what a run found out, with everything that is needed to judge it.
 *
 * Every number in it can be recomputed from the outcomes. Amounts are exact decimal text, times Unix ms.
 */
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import * as Digest from "./internal/report/Digest.ts"
import * as EntryJson from "./internal/report/EntryJson.ts"
import * as EntryTimes from "./internal/report/EntryTimes.ts"
import * as LagCounts from "./internal/report/Lags.ts"
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
export const Lags = LagCounts.Lags
export type Lags = LagCounts.Lags
export const Age = Statistics.Age
export type Age = Statistics.Age

/** An outcome as reports write it; in memory it is the outcome itself. */
export const ReportOutcome = Outcome.Outcome.mapFields((fields) => ({
  ...fields,
  deposits: EntryJson.entries("deposit"),
  transfers: EntryJson.entries("transfer")
}))

export const Report = Schema.Struct({
  version: Schema.Literal(VERSION).annotateKey({
    description: "The version of this form: a reader that knows another one should refuse the report."
  }),
  range: Schema.NullOr(Schema.Struct({ from: Schema.Int, to: Schema.Int })).annotateKey({
    description: "The entries that were asked about, `[from, to)`; null: all that were read."
  }),
  clean: Schema.Boolean.annotateKey({
    description:
      "No discrepancy, nothing undetermined, no bad record, and all of the range was read. Two breaks that cancel " +
      "out are two."
  }),
  meaning: Schema.String.annotateKey({
    description: "What `missing` means here and, under a tolerance, `forced`, in sentences."
  }),
  policy: Policy.Resolved.annotateKey({
    description: "The policy that was applied, defaults filled in, durations in ms."
  }),
  flows: Policy.Resolved.fields.flows.annotateKey({
    description: "The movements that count as the counterpart of a deposit."
  }),
  accounts: Schema.Struct({
    master: Schema.Array(Schema.String).annotateKey({ description: "The names of the master account." }),
    count: Schema.Int.annotateKey({ description: "How many sub-accounts." }),
    complete: Schema.Boolean.annotateKey({ description: "Whether somebody vouched that there are no others." }),
    digest: Schema.String.annotateKey({
      description: "16 hex digits that tell two lists of names apart; no protection against anybody."
    })
  }).annotateKey({ description: "The accounts of the run." }),
  addresses: Schema.Struct({ count: Schema.Int, digest: Schema.String }).annotateKey({
    description: "How many addresses the address book had, and a digest of them."
  }),
  coverage: Schema.Array(Coverage.Coverage).annotateKey({
    description: "What is known about the completeness of what was read."
  }),
  unread: Schema.Array(Coverage.Coverage).annotateKey({
    description:
      "What of the range was not read: its gaps and what is open of `coverage`, and what nobody asked for. Without a range: " +
      "of what was read, and of the time of its entries."
  }),
  totals: Schema.Array(Total).annotateKey({ description: "By asset, aliases together." }),
  matchRate: Statistics.MatchRate.annotateKey({
    description: "How many entries of each side are matched, of how many that count."
  }),
  counts: Schema.Array(Count).annotateKey({ description: "By code, in the order of the codes." }),
  lags: Schema.NullOr(Lags).annotateKey({
    description: "How long after its deposit a transfer came, ms; null without a pair."
  }),
  asOf: Schema.NullOr(Schema.Int).annotateKey({
    description: "When the ages are counted to: the last reading. Null when nothing was read."
  }),
  ageing: Schema.Array(Age).annotateKey({ description: "Discrepancies by the age of their earliest entry at `asOf`." }),
  warnings: Schema.Array(Schema.String).annotateKey({ description: "What a reader should know, in sentences." }),
  outcomes: Schema.Array(ReportOutcome).annotateKey({
    description: "Every entry that lies in the range, in exactly one outcome."
  })
}).annotate({
  title: "Report",
  description:
    "What a run found out. Amounts are exact decimal text, times are Unix milliseconds, lengths of time are " +
    "milliseconds."
})
export type Report = typeof Report.Type

/** The report without its outcomes: what is told at the end of a stream of them. */
export const Summary = Report.mapFields(Struct.omit(["outcomes"]))
export type Summary = typeof Summary.Type

/** What a run was about. */
export interface About {
  readonly range?: { readonly from: number; readonly to: number } | undefined
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
}

/** What is known once everything has been read. */
export interface Read {
  readonly coverage: Iterable<Coverage.Coverage>
  readonly warnings: ReadonlyArray<string>
  /** When the last of it was read, Unix ms; without it, as the coverage says. */
  readonly asOf?: number | null | undefined
}

export interface Options extends About, Read {
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
}

/** Sums up outcomes as they come, in memory that does not grow with the matched ones. */
export interface Collector {
  readonly add: (outcome: Outcome.Outcome) => void
  readonly summary: (read: Read) => Summary
}

const lastReading = (coverage: ReadonlyArray<Coverage.Coverage>): number | null =>
  coverage.reduce<number | null>((latest, { readAt }) => (latest === null ? readAt : Math.max(latest, readAt)), null)

const isClear = ({ code, outcome }: Outcome.Outcome): boolean =>
  outcome !== "discrepancy" && outcome !== "undetermined" && code !== "bad-record"

export const collector = ({ accounts, addresses = [], policy, range }: About): Collector => {
  const totals = Totals.collector(policy)
  const counts = Statistics.counting()
  const lags = LagCounts.collector()
  const ages = Statistics.ageing()
  const entries = EntryTimes.collector()
  let clear = true
  return {
    add: (outcome) => {
      for (const collector of [totals, counts, lags, ages, entries]) collector.add(outcome)
      clear &&= isClear(outcome)
    },
    summary: (read) => {
      const coverage = Coverage.merge(read.coverage)
      const unread = Unread.make(coverage, { range, entries: entries.times(), policy })
      const asOf = read.asOf ?? lastReading(coverage)
      const sums = totals.totals()
      return {
        version: VERSION,
        range: range ?? null,
        clean: unread.length === 0 && clear,
        meaning: Scope.meaning(policy, accounts, coverage),
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
        totals: sums,
        matchRate: Statistics.matchRate(sums),
        counts: counts.counts(),
        lags: lags.lags(),
        asOf,
        ageing: asOf === null ? [] : ages.ages(asOf),
        warnings: read.warnings
      }
    }
  }
}

/**
 * Says in sentences what `missing` and `forced` can mean in a report of this policy, these accounts and this coverage, and
 * from when its lags count.
 */
export const meaning = Scope.meaning

/** Makes the report of a run. */
export const make = (options: Options): Report => {
  const { outcomes } = options
  const all = collector(options)
  for (const outcome of outcomes) all.add(outcome)
  return { ...all.summary(options), outcomes }
}

/** The operations of which nothing could be read in the range: then the run has not done its work. */
export const operationsUnread = (
  { coverage, range }: Pick<Report, "coverage" | "range">
): ReadonlyArray<Coverage.Coverage["operation"]> => Unread.operationsUnread(coverage, range ?? undefined)

/** No discrepancy, nothing undetermined, no bad record, nothing unread. */
export const isClean = (report: Pick<Report, "clean">): boolean => report.clean
