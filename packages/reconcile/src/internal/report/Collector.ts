/** Sums up a run: outcome by outcome, and in the end what was read. A run may be summed up in parts. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../../Accounts.ts"
import * as AddressBook from "../../AddressBook.ts"
import type * as Outcome from "../../Outcome.ts"
import type * as Policy from "../../Policy.ts"
import type { Additive } from "./Additive.ts"
import * as EntryTimes from "./EntryTimes.ts"
import * as Form from "./Form.ts"
import * as Lags from "./Lags.ts"
import * as Scope from "./Scope.ts"
import * as Statistics from "./Statistics.ts"
import type * as Sums from "./Sums.ts"
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

const lastReading = (coverage: ReadonlyArray<Coverage.Coverage>): number | null =>
  coverage.reduce<number | null>((latest, { readAt }) => (latest === null ? readAt : Math.max(latest, readAt)), null)

const isClear = ({ accepted, code, outcome }: Outcome.Outcome): boolean =>
  accepted !== undefined || (outcome !== "discrepancy" && outcome !== "undetermined" && code !== "bad-record")

const clearing = (): Additive<boolean> => {
  let clear = true
  return {
    // An outcome of another day counts here too: an entry of the range is open in it.
    add: (outcome) => {
      clear &&= isClear(outcome)
    },
    merge: (isOther) => {
      clear &&= isOther
    },
    sums: () => clear
  }
}

/** Adds up outcomes, in memory that does not grow with the number of matches. */
export const make = ({ policy, range }: Pick<About, "policy" | "range">): Additive<Sums.Counted> => {
  const totals = Totals.collector(policy, range)
  const counts = Statistics.counting(range)
  const unattributed = Statistics.unattributed(range)
  const lags = Lags.collector(range)
  const breaks = Statistics.breaks(range)
  const times = EntryTimes.collector(range)
  const clear = clearing()
  return {
    add: (outcome) => {
      for (const one of [totals, counts, unattributed, lags, breaks, times, clear]) one.add(outcome)
    },
    merge: (sums) => {
      totals.merge(sums.totals)
      counts.merge(sums.counts)
      unattributed.merge(sums.unattributed)
      lags.merge(sums.lags)
      breaks.merge(sums.breaks)
      times.merge(sums.times)
      clear.merge(sums.clear)
    },
    sums: () => ({
      totals: totals.sums(),
      counts: counts.sums(),
      unattributed: unattributed.sums(),
      lags: lags.sums(),
      breaks: breaks.sums(),
      times: times.sums(),
      clear: clear.sums()
    })
  }
}

/** Returns the summary of a run from the sums of its parts, in whatever order they come. */
export const summary = (parts: Iterable<Sums.Counted>, about: About & Read): Form.Summary => {
  const { accounts, addresses = [], policy, range } = about
  const all = make(about)
  for (const sums of parts) all.merge(sums)
  const { breaks, clear, counts, lags, times, totals, unattributed } = all.sums()
  const coverage = Coverage.merge(about.coverage)
  const unread = Unread.make(coverage, { range, entries: times, policy, accounts })
  const asOf = about.asOf ?? lastReading(coverage)
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
    totals,
    matchRate: Statistics.matchRate(totals),
    counts,
    ...unattributed,
    lags: Lags.percentiles(lags),
    asOf,
    ageing: asOf === null ? [] : Statistics.ages(breaks, asOf),
    warnings: about.warnings
  }
}
