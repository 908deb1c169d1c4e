/**
 * The difference of an outcome: the amount that is missing, or that is too much. Amounts are exact decimal text.
 *
 * The sign is that of the control totals' `net`, deposits minus transfers: positive is what arrived and was not moved on, negative is
 * what was moved on and did not arrive. The `residual` of an outcome has the other sign. What a fee explains is no difference.
 *
 * A difference speaks of the entries of its outcome, as they were read. Whether the outcome may still change, its `final` says.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "./Entry.ts"
import * as Buckets from "./internal/report/Buckets.ts"
import type * as Outcome from "./Outcome.ts"

/**
 * How well the difference is known.
 *
 * - `exact`: so much is missing or too much.
 * - `at least`: more entries may lack a counterpart than those that certainly do.
 * - `at most`: the entries may have counterparts, or need none.
 */
export type Bound = "exact" | "at least" | "at most"

/** A difference. */
export interface Difference {
  /** The asset, as the first deposit, or else the first transfer, names it. */
  readonly asset: string
  /** What arrived and was not moved on; never negative. */
  readonly missing: string
  /** What was moved on and did not arrive; never negative. */
  readonly excess: string
  /** `missing` minus `excess`: signed. */
  readonly amount: string
  /** `missing` plus `excess`, by which breaks are ranked: entries of both sides that do not belong together are not netted. */
  readonly size: string
  /** Of an amount that is not exact, the bound holds for `missing`, `excess` and `size` alike. */
  readonly bound: Bound
  /** What was moved of another asset: it is too much of that if the two are not one. The bound holds for it, too; it is in no other amount. */
  readonly other?: { readonly asset: string; readonly excess: string }
}

/**
 * The ways to measure a difference:
 *
 * - `none`: nothing is missing. The entries agree, cancel each other, or are out of scope.
 * - `residual`: the entries belong together, and differ by the outcome's residual.
 * - `rest`: the entries of one side are parts of the entry of the other side.
 * - `open`: the entries that no pair settles have no counterpart.
 * - `perhaps`: the entries that no pair settles may have no counterpart.
 * - `unpaired`: there are more entries on one side than can have a counterpart, whichever they are.
 * - `unmoved`: the transfer did not move what the deposit brought.
 * - `unlike`: the transfer may not have moved what the deposit brought, because it is of another asset.
 * - `version`: the entries are versions of one entry.
 */
type Measure = "none" | "residual" | "rest" | "open" | "perhaps" | "unpaired" | "unmoved" | "unlike" | "version"

const measures: Readonly<Record<Outcome.Code, Measure>> = {
  linked: "residual",
  reference: "residual",
  exact: "residual",
  tolerant: "residual",
  fee: "residual",
  grouped: "residual",
  "class-balanced": "none",
  "missing-transfer": "open",
  "missing-deposit": "open",
  "amount-mismatch": "residual",
  late: "residual",
  early: "residual",
  "class-short": "open",
  ambiguous: "unpaired",
  "split-incomplete": "rest",
  "split-ambiguous": "perhaps",
  "search-exhausted": "perhaps",
  "failed-attempt": "open",
  "wrong-direction": "unmoved",
  "account-mismatch": "residual",
  reversed: "none",
  "duplicate-suspect": "unpaired",
  "source-conflict": "version",
  vanished: "perhaps",
  "status-regressed": "perhaps",
  "asset-mismatch": "unlike",
  "in-flight": "perhaps",
  unconfirmed: "perhaps",
  "unknown-status": "perhaps",
  "coverage-gap": "perhaps",
  excluded: "none",
  "bad-record": "none",
  "not-settled": "none",
  "out-of-flow": "none"
}

/** Amounts of each side: they lack a counterpart, or may lack one. */
interface Sides {
  readonly deposits: ReadonlyArray<string>
  readonly transfers: ReadonlyArray<string>
}

interface Measured {
  readonly missing: string
  readonly excess: string
  readonly bound: Bound
}

const nothing: Measured = { missing: "0", excess: "0", bound: "exact" }

const sums = ({ deposits, transfers }: Sides, bound: Bound): Measured => ({
  missing: Amount.sum(deposits),
  excess: Amount.sum(transfers),
  bound
})

const signed = (amount: string): Measured =>
  amount.startsWith("-")
    ? { ...nothing, excess: amount.slice(1) }
    : { ...nothing, missing: amount }

const negated = (amount: string): string => Amount.times(amount, "-1")

/** Lists the amounts that no pair settles. What failed moved nothing. */
const openOf = (outcome: Outcome.Outcome): Sides => {
  const shares = Buckets.sharesOf(outcome)
  const of = (side: "deposits" | "transfers"): ReadonlyArray<string> =>
    shares[side]
      .filter(({ bucket }) => bucket !== "matched")
      .flatMap(({ from, to }) => outcome[side].slice(from, to))
      .filter(({ status }) => status !== "failed")
      .map(({ amount }) => amount)
  return { deposits: of("deposits"), transfers: of("transfers") }
}

/** Returns the largest number of pairs that the entries can make, where the outcome tells it. */
const mostPairs = (
  { because, code, matchedCount }: Outcome.Outcome,
  { deposits, transfers }: Sides
): number | undefined => {
  if (code === "duplicate-suspect") {
    // Entries that share a reference and are of several amounts may be the parts of a sum.
    const amounts = new Set([...deposits, ...transfers].map(Amount.canonical))
    return amounts.size === 1 ? Math.min(deposits.length, transfers.length) : undefined
  }
  if (because?.code === "several-pairings") return matchedCount
  return because?.code === "outside-windows" ? Math.min(because.deposits, because.transfers) : undefined
}

const unpaired = (outcome: Outcome.Outcome): Measured => {
  const all = openOf(outcome)
  const pairs = mostPairs(outcome, all)
  const most = sums(all, "at most")
  if (pairs === undefined) return most
  const smallest = (amounts: ReadonlyArray<string>): ReadonlyArray<string> =>
    amounts.toSorted(Amount.compare).slice(0, Math.max(amounts.length - pairs, 0))
  const least = sums({ deposits: smallest(all.deposits), transfers: smallest(all.transfers) }, "at least")
  if (Amount.isZero(least.missing) && Amount.isZero(least.excess)) return most
  // Nothing is too much of what the source told twice.
  if (outcome.code === "duplicate-suspect") return { ...least, bound: "at most" }
  return least.missing === most.missing && least.excess === most.excess ? { ...least, bound: "exact" } : least
}

/** The larger amount counts, because one version at most is right. */
const largest = (amounts: ReadonlyArray<string>): ReadonlyArray<string> => amounts.toSorted(Amount.compare).slice(-1)

/** Whether a time that was not read may bring counterparts of a class that is short of them. */
const mayGrow = ({ because, code }: Outcome.Outcome): boolean =>
  code === "class-short" && (because?.code !== "short-of-counterparts" || because.unread > 0)

const measured = (outcome: Outcome.Outcome): Measured => {
  const measure = measures[outcome.code]
  if (measure === "none") return nothing
  if (measure === "residual" && outcome.residual !== null) return signed(negated(outcome.residual))
  if (measure === "unpaired") return unpaired(outcome)
  const open = openOf(outcome)
  const { deposits, transfers } = open
  switch (measure) {
    case "rest":
      return signed(Amount.sum([...deposits, ...transfers.map(negated)]))
    case "open":
      return sums(open, mayGrow(outcome) ? "at most" : "exact")
    case "unmoved":
      return sums({ deposits, transfers: [] }, "at least")
    case "unlike":
      return sums({ deposits, transfers: [] }, "at most")
    case "version":
      return sums({ deposits: largest(deposits), transfers: largest(transfers) }, "at most")
    default:
      return sums(open, "at most")
  }
}

/** Whether an entry has versions that the outcome does not hold, or of several assets: nobody knows then how much it is at most. */
const isUnknown = ({ because, code }: Outcome.Outcome, entries: ReadonlyArray<Entry.Entry>): boolean =>
  measures[code] === "version" &&
  (because?.code === "told-in-versions" || entries.some(({ asset }) => asset !== entries[0]?.asset))

/**
 * Returns the difference of an outcome. It is undefined where there is none to speak of: the outcome has no entries, as with a record
 * that could not be read, or its entry was told in versions of which some are not known here, or are of other assets.
 */
export const of = (outcome: Outcome.Outcome): Difference | undefined => {
  const entries: ReadonlyArray<Entry.Entry> = [...outcome.deposits, ...outcome.transfers]
  const [one] = entries
  if (one === undefined) return undefined
  if (isUnknown(outcome, entries)) return undefined
  const found = measured(outcome)
  const [moved] = outcome.transfers
  return {
    asset: one.asset,
    ...found,
    amount: Amount.sum([found.missing, negated(found.excess)]),
    size: Amount.sum([found.missing, found.excess]),
    ...(measures[outcome.code] !== "unlike" || moved === undefined
      ? {}
      : { other: { asset: moved.asset, excess: Amount.sum(openOf(outcome).transfers) } })
  }
}
