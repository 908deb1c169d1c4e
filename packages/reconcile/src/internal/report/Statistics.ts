/** Numbers about a run as a whole: how much was matched, how fast, and how old what is open is. */
import * as Schema from "effect/Schema"
import * as Outcome from "../../Outcome.ts"
import * as Buckets from "./Buckets.ts"
import type { Total } from "./Totals.ts"

/** How often a code was given, and to how many entries. */
export const Count = Schema.Struct({
  outcome: Outcome.Kind,
  code: Outcome.Code,
  outcomes: Schema.Int,
  deposits: Schema.Int,
  transfers: Schema.Int
})
export type Count = typeof Count.Type

/** The codes that occur, in the order of `Outcome.codes`. */
export const counts = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Count> => {
  const byCode = new Map<Outcome.Code, { outcomes: number; deposits: number; transfers: number }>()
  for (const { code, deposits, transfers } of outcomes) {
    const known = byCode.get(code) ?? { outcomes: 0, deposits: 0, transfers: 0 }
    known.outcomes++
    known.deposits += deposits.length
    known.transfers += transfers.length
    byCode.set(code, known)
  }
  return Outcome.Kind.literals.flatMap((outcome) =>
    Outcome.codes[outcome].flatMap((code) => {
      const count = byCode.get(code)
      return count === undefined ? [] : [{ outcome, code, ...count }]
    })
  )
}

/** `matched` of `of` entries; what was set aside does not count. */
const Rate = Schema.Struct({ matched: Schema.Int, of: Schema.Int })
type Rate = typeof Rate.Type

export const MatchRate = Schema.Struct({ deposits: Rate, transfers: Rate })

export const matchRate = (totals: ReadonlyArray<Total>): typeof MatchRate.Type => {
  const rate = (side: "deposits" | "transfers"): Rate => ({
    matched: totals.reduce((sum, total) => sum + total[side].matched.count, 0),
    of: totals.reduce((sum, total) => sum + total[side].in.count - total[side].setAside.count, 0)
  })
  return { deposits: rate("deposits"), transfers: rate("transfers") }
}

/** How long after its deposit a transfer came, ms; each value is one that occurred (nearest rank). */
export const Lags = Schema.Struct({
  count: Schema.Int,
  min: Schema.Int,
  p50: Schema.Int,
  p90: Schema.Int,
  p99: Schema.Int,
  max: Schema.Int
})
export type Lags = typeof Lags.Type

/** The lags of the pairs that are stated as facts; those shown by convention do not count. */
const stated = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<number> =>
  outcomes.flatMap(({ code, lagMs, outcome, pairs }) => {
    if (outcome !== "matched" || code === "class-balanced") return []
    return lagMs !== null ? [lagMs] : (pairs ?? []).map((pair) => pair.lagMs)
  })

/** Null when no pair is stated. */
export const lags = (outcomes: ReadonlyArray<Outcome.Outcome>): Lags | null => {
  const sorted = Float64Array.from(stated(outcomes)).toSorted()
  const at = (share: number): number => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0
  return sorted.length === 0
    ? null
    : { count: sorted.length, min: at(0), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}

/** Discrepancies whose earliest entry is at least `from` and less than `to` ms old; null is without end. */
export const Age = Schema.Struct({
  from: Schema.Int,
  to: Schema.NullOr(Schema.Int),
  outcomes: Schema.Int,
  /** Entries that no pair settles. */
  entries: Schema.Int
})
export type Age = typeof Age.Type

const HOUR = 3_600_000
const bounds = [0, HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR, 168 * HOUR]

/** When the earliest entry of an outcome happened. */
const earliest = ({ deposits, transfers }: Outcome.Outcome): number | undefined => {
  const [deposit, transfer] = [deposits[0]?.at, transfers[0]?.at]
  return deposit === undefined || transfer === undefined ? deposit ?? transfer : Math.min(deposit, transfer)
}

/** How old the discrepancies were at `asOf`, Unix ms. */
export const ageing = (outcomes: ReadonlyArray<Outcome.Outcome>, asOf: number): ReadonlyArray<Age> => {
  const ages = bounds.map((from, index) => ({ from, to: bounds[index + 1] ?? null, outcomes: 0, entries: 0 }))
  for (const outcome of outcomes) {
    if (outcome.outcome !== "discrepancy") continue
    const age = asOf - (earliest(outcome) ?? asOf)
    const bucket = ages.findLast(({ from }) => from <= age) ?? ages[0]
    if (bucket === undefined) continue
    bucket.outcomes++
    bucket.entries += Buckets.openEntries(outcome)
  }
  return ages
}
