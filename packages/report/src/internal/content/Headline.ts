/** The headline lists the facts on which the verdict rests: range, scope, accounts, match rates, times to sweep and prices. */
import type * as Report from "@tallystick/reconcile/Report"
import * as Prices from "../../Prices.ts"
import * as Text from "../../text/Text.ts"
import * as Times from "../../text/Times.ts"

const share = (rate: { readonly matched: number; readonly of: number }): string =>
  rate.of === 0
    ? "none"
    : `${Text.count(rate.matched)} of ${Text.count(rate.of)} (${Text.percent(rate)})`

const accountsOf = (
  { complete, count, digest, provenAt }: Report.Summary["accounts"],
  { bound, zone }: Times.Times
): string => {
  if (count === 0) return `none given${complete ? ", confirmed complete" : ""}`
  return provenAt === undefined || !complete
    ? `${Text.count(count)} given, ${complete ? "confirmed complete" : "not confirmed complete"} (digest ${digest})`
    : `${Text.count(count)} as the exchange lists them, complete as it listed them at ${
      bound(provenAt)
    } (${zone}; digest ${digest})`
}

/** Says how breaks are ordered, and what has no place in that order. It may hold strangers' names. `currency` names that of the prices. */
export const pricesOf = (
  { policy, totals }: Report.Summary,
  prices: Prices.Prices,
  currency: string | undefined
): string => {
  const known = Prices.resolve(prices, policy.assets.aliases)
  const unpriced = totals.flatMap(({ assets }) => assets).filter((asset) => !known.has(asset))
  return `most money first, worth in ${currency ?? "the currency of the prices"}${
    unpriced.length === 0 ? "" : `; no price for ${Text.listed(unpriced)}: breaks without a worth come last`
  }`
}

/** Says how many decisions were followed, and where the ledger ends: who keeps that can tell whether it was changed since. */
const decisionsOf = ({ applied, head }: NonNullable<Report.Summary["decisions"]>): string =>
  `${Text.counted(applied, "decision")} followed; the ledger ends at ${head.number}@${head.id}`

/** The label of how long it took to move what arrived. */
export const SWEEP = "Time to sweep"

/** Says how long it took to move what arrived, of the pairs that are stated. */
export const sweepOf = ({ count, max, p50, p90 }: NonNullable<Report.Summary["lags"]>): string =>
  `median ${Times.duration(p50)}, 90 % within ${Times.atMost(p90)}, slowest ${Times.atMost(max)}, of ${
    Text.counted(count, "pair")
  }`

export interface Fact {
  readonly label: string
  readonly text: string
}

/** Returns the facts in the order in which they are read. Texts may hold strangers' names. */
export const facts = (
  report: Report.Summary,
  times: Times.Times,
  { currency, prices }: {
    readonly prices?: Prices.Prices | undefined
    readonly currency?: string | undefined
  } = {}
): ReadonlyArray<Fact> => {
  const { accounts, addresses, decisions, lags, matchRate, meaning, range } = report
  return [
    {
      label: "Range",
      text: range === null
        ? `everything that was read (times in ${times.zone})`
        : `${times.bound(range.from)} to ${times.bound(range.to)}, end excluded (${times.zone})`
    },
    { label: "Scope", text: meaning },
    {
      label: "Accounts",
      text: `${accountsOf(accounts, times)}; ` +
        `${addresses.count === 1 ? "1 address" : `${Text.count(addresses.count)} addresses`} known${
          addresses.count === 0 ? "" : ` (digest ${addresses.digest})`
        }`
    },
    ...(decisions === undefined ? [] : [{ label: "Decisions", text: decisionsOf(decisions) }]),
    {
      label: "Matched",
      text: `deposits ${share(matchRate.deposits)}, transfers ${share(matchRate.transfers)}`
    },
    ...(lags === null ? [] : [{ label: SWEEP, text: sweepOf(lags) }]),
    ...(prices === undefined ? [] : [{ label: "Prices", text: pricesOf(report, prices, currency) }])
  ]
}
