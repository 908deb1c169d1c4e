/** Sums up a run: outcome by outcome, and in the end what was read. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../../Accounts.ts"
import * as AddressBook from "../../AddressBook.ts"
import type * as Outcome from "../../Outcome.ts"
import type * as Policy from "../../Policy.ts"
import * as InRange from "../InRange.ts"
import * as EntryTimes from "./EntryTimes.ts"
import * as Form from "./Form.ts"
import * as Lags from "./Lags.ts"
import * as Scope from "./Scope.ts"
import * as Statistics from "./Statistics.ts"
import * as Totals from "./Totals.ts"
import * as Unread from "./Unread.ts"

/** What a run was about. */
export interface About {
  readonly range?: { readonly from: number; readonly to: number } | undefined
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
}

/** The facts that are known once both sides have been read. */
export interface Read {
  readonly coverage: Iterable<Coverage.Coverage>
  readonly warnings: ReadonlyArray<string>
  /** The time of the last reading, Unix ms; without it, as the coverage says. */
  readonly asOf?: number | null | undefined
}

/** Sums up outcomes as they come, in memory that does not grow with the number of matches. */
export interface Collector {
  readonly add: (outcome: Outcome.Outcome) => void
  readonly summary: (read: Read) => Form.Summary
}

const lastReading = (coverage: ReadonlyArray<Coverage.Coverage>): number | null =>
  coverage.reduce<number | null>((latest, { readAt }) => (latest === null ? readAt : Math.max(latest, readAt)), null)

const isClear = ({ accepted, code, outcome }: Outcome.Outcome): boolean =>
  accepted !== undefined || (outcome !== "discrepancy" && outcome !== "undetermined" && code !== "bad-record")

export const make = ({ accounts, addresses = [], policy, range }: About): Collector => {
  const isOfRange = InRange.isOfRange(range)
  const totals = Totals.collector(policy, range)
  const counts = Statistics.counting(range)
  const lags = Lags.collector()
  const ages = Statistics.ageing(range)
  const entries = EntryTimes.collector()
  const unattributed = Statistics.unattributed(range)
  let clear = true
  return {
    add: (outcome) => {
      for (const collector of [totals, counts, ages, entries, unattributed]) collector.add(outcome)
      if (isOfRange(outcome)) lags.add(outcome)
      // An outcome of another day counts here too: an entry of the range is open in it.
      clear &&= isClear(outcome)
    },
    summary: (read) => {
      const coverage = Coverage.merge(read.coverage)
      const unread = Unread.make(coverage, { range, entries: entries.times(), policy, accounts })
      const asOf = read.asOf ?? lastReading(coverage)
      const sums = totals.totals()
      return {
        version: Form.VERSION,
        range: range ?? null,
        clean: unread.length === 0 && clear,
        meaning: Scope.meaning(policy, accounts, coverage),
        policy,
        flows: policy.flows,
        accounts: {
          master: Accounts.masterNames(accounts),
          count: accounts.list.length,
          complete: accounts.complete,
          ...(accounts.provenAt === undefined ? {} : { provenAt: accounts.provenAt }),
          digest: Accounts.digest(accounts)
        },
        addresses: {
          count: addresses.length,
          digest: AddressBook.digest(addresses)
        },
        coverage,
        unread,
        totals: sums,
        matchRate: Statistics.matchRate(sums),
        counts: counts.counts(),
        ...unattributed.counts(),
        lags: lags.lags(),
        asOf,
        ageing: asOf === null ? [] : ages.ages(asOf),
        warnings: read.warnings
      }
    }
  }
}
