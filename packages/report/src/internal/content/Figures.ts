/**
 * The five figures that a report begins with: what is open, what that is worth, how much is matched, how old the oldest of it is, and whether all was
 * read. Each can be counted again from the outcomes and from what was read.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Difference from "@tallystick/reconcile/Difference"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Prices from "../../Prices.ts"
import * as Times from "../../text/Times.ts"
import * as CountedRange from "./CountedRange.ts"
import * as Stakes from "./Stakes.ts"

/** A sum of differences, and how well it is known: `about` where some are known from below and others from above. */
export interface Worth {
  /** The worth of the items that have a price, exact. */
  readonly sum: string
  readonly bound: Difference.Bound | "about"
  /** So many items have a worth. */
  readonly items: number
  /** The assets of the other items, in the order of their names: no price is given. Items of which nobody knows how much is missing are not among them. */
  readonly lacking: ReadonlyArray<string>
}

/** What items are about. */
export interface Money {
  /** What they are worth; null where no prices are given. */
  readonly worth: Worth | null
  /** What of each asset is missing or too much in them, the size of it; in the order of their names. */
  readonly sizes: ReadonlyArray<{ readonly asset: string; readonly size: string; readonly bound: Worth["bound"] }>
  /** In so many of them nobody knows how much is missing; they are in no sum. */
  readonly unknown: number
}

/** The figures, as data. What it says of money is of the open ones. */
export interface Figures extends Money {
  /** Breaks of the range that nobody accepted. */
  readonly open: number
  /** Such breaks that belong to other days and hold an entry of the range. They count in no other figure. */
  readonly openOfOtherDays: number
  readonly moneyOfOtherDays: Money
  /** Entries of both sides that are matched, of those that count. */
  readonly matched: { readonly matched: number; readonly of: number }
  /** The oldest open one: its id, its earliest entry and how long ago that was at the last reading, Unix ms and ms. */
  readonly oldest: { readonly id: string; readonly at: number; readonly ageMs: number } | null
  /** How much of the range was not read, ms, and in how many intervals; null where all was read. `whole`: nothing of it was read. */
  readonly unread:
    | ReadonlyArray<{
      readonly operation: "deposits" | "transfers"
      readonly ms: number
      readonly intervals: number
      readonly whole: boolean
      /** Nothing was read before, or from, this time on, Unix ms; null where the time that was not read begins and ends. */
      readonly until: number | null
      readonly since: number | null
      /** The intervals that begin and end. */
      readonly bounded: { readonly ms: number; readonly intervals: number }
    }>
    | null
}

const join = (bounds: ReadonlySet<Difference.Bound>): Worth["bound"] => {
  const isBelow = bounds.has("at least")
  if (bounds.has("at most")) return isBelow ? "about" : "at most"
  return isBelow ? "at least" : "exact"
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const worthOf = (stakes: ReadonlyArray<Stakes.Stake>, hasPrice: (asset: string) => boolean): Worth => {
  const known = stakes.filter(({ worth }) => worth !== null)
  return {
    sum: Amount.sum(known.map(({ worth }) => worth ?? "0")),
    bound: join(new Set(known.map(({ difference }) => difference?.bound ?? "exact"))),
    items: known.length,
    lacking: Array.from(
      new Set(
        stakes.filter(({ difference, worth }) => difference !== null && worth === null)
          .flatMap(({ asset, difference }) => difference?.other === undefined ? asset : [asset, difference.other.asset])
          .filter((asset) => !hasPrice(asset))
      )
    ).toSorted(byName)
  }
}

const sizesOf = (stakes: ReadonlyArray<Stakes.Stake>): Figures["sizes"] => {
  const found = stakes.flatMap(({ asset, difference }) => {
    if (difference === null) return []
    const { bound, other, size } = difference
    return [{ asset, size, bound }, ...(other === undefined ? [] : [{ asset: other.asset, size: other.excess, bound }])]
  })
  return Array.from(Map.groupBy(found, ({ asset }) => asset), ([asset, own]) => ({
    asset,
    size: Amount.sum(own.map(({ size }) => size)),
    bound: join(new Set(own.map(({ bound }) => bound)))
  }))
    .filter(({ size }) => size !== "0")
    .toSorted((a, b) => byName(a.asset, b.asset))
}

const moneyOf = (stakes: ReadonlyArray<Stakes.Stake>, prices: Prices.Prices | undefined): Money => ({
  worth: prices === undefined ? null : worthOf(stakes, (asset) => prices.has(asset)),
  sizes: sizesOf(stakes),
  unknown: stakes.filter(({ difference }) => difference === null).length
})

/** Joins intervals that touch, of any number of queries. */
const joined = (intervals: ReadonlyArray<{ readonly from: number; readonly to: number }>) => {
  const found: Array<{ readonly from: number; to: number }> = []
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}

const unreadOf = (report: Report.Summary): Figures["unread"] => {
  const none = new Set(Report.operationsUnread(report))
  const found = (["deposits", "transfers"] as const).flatMap((operation) => {
    const own = joined(report.unread.filter((gap) => gap.operation === operation))
    const msOf = (intervals: typeof own): number => intervals.reduce((sum, { from, to }) => sum + to - from, 0)
    const bounded = own.filter(({ from, to }) => from > Times.START && to < Times.END)
    const first = own.find(({ from, to }) => from <= Times.START && to < Times.END)
    return own.length === 0 ? [] : [{
      operation,
      ms: msOf(own),
      intervals: own.length,
      whole: none.has(operation),
      until: first?.to ?? null,
      since: own.find(({ to }) => to >= Times.END)?.from ?? null,
      bounded: { ms: msOf(bounded), intervals: bounded.length }
    }]
  })
  return found.length === 0 ? null : found
}

/** Returns the figures of a whole report. */
export const of = (report: Report.Report, prices?: Prices.Prices): Figures => {
  const { asOf, matchRate: { deposits, transfers }, outcomes, policy } = report
  const isOfRange = Report.isOfRange(CountedRange.of(report))
  const all = outcomes.filter(({ accepted, outcome }) => outcome === "discrepancy" && accepted === undefined)
  const open = all.filter(isOfRange)
  const stakeOf = Stakes.of({ policy, prices })
  const known = prices === undefined ? undefined : Prices.resolve(prices, policy.assets.aliases)
  const oldest = open.reduce<{ readonly id: string; readonly at: number } | undefined>((first, outcome) => {
    const at = Outcome.earliest(outcome)
    return first === undefined || at < first.at ? { id: outcome.id, at } : first
  }, undefined)
  return {
    open: open.length,
    openOfOtherDays: all.length - open.length,
    ...moneyOf(open.map(stakeOf), known),
    moneyOfOtherDays: moneyOf(all.filter((outcome) => !isOfRange(outcome)).map(stakeOf), known),
    matched: { matched: deposits.matched + transfers.matched, of: deposits.of + transfers.of },
    oldest: oldest === undefined || asOf === null ? null : { ...oldest, ageMs: Math.max(0, asOf - oldest.at) },
    unread: unreadOf(report)
  }
}
