/** Numbers about a run as a whole: how many entries were matched, and how old the discrepancies are. */
import * as Schema from "effect/Schema"
import * as Outcome from "../../Outcome.ts"
import * as Buckets from "./Buckets.ts"
import type { Total } from "./Totals.ts"

/** The number of outcomes with a code, and of the entries in them. */
export class Count extends Schema.Opaque<Count>()(
  Schema.Struct({
    outcome: Outcome.Kind,
    code: Outcome.Code,
    outcomes: Schema.Int,
    deposits: Schema.Int,
    transfers: Schema.Int
  }).annotate({ identifier: "CodeCount" })
) {}

/** Counts the outcomes of each code as they come. */
export interface Counts {
  readonly add: (outcome: Outcome.Outcome) => void
  /** The codes that occur, in the order of `Outcome.codes`. */
  readonly counts: () => ReadonlyArray<Count>
}

export const counting = (): Counts => {
  const byCode = new Map<Outcome.Code, { outcomes: number; deposits: number; transfers: number }>()
  return {
    add: ({ code, deposits, transfers }) => {
      const known = byCode.get(code) ?? { outcomes: 0, deposits: 0, transfers: 0 }
      known.outcomes++
      known.deposits += deposits.length
      known.transfers += transfers.length
      byCode.set(code, known)
    },
    counts: () =>
      Outcome.Kind.literals.flatMap((outcome) =>
        Outcome.codes[outcome].flatMap((code) => {
          const count = byCode.get(code)
          return count === undefined ? [] : [{ outcome, code, ...count }]
        })
      )
  }
}

/** Counts the outcomes of deposits to addresses of which nobody says whose they are. */
export const unattributed = () => {
  let outcomes = 0
  return {
    add: ({ code, missing }: Outcome.Outcome): void => {
      if (code === "coverage-gap" && missing?.gap?.code === "unattributed") outcomes++
    },
    outcomes: () => outcomes
  }
}

/** `matched` of `of` entries; what was set aside does not count. */
const Rate = Schema.Struct({
  /** Entries that are matched. */
  matched: Schema.Int.annotateKey({ description: "Entries that are matched." }),
  /** All entries but those that were set aside. */
  of: Schema.Int.annotateKey({ description: "All entries but those that were set aside." })
})
type Rate = typeof Rate.Type

export const MatchRate = Schema.Struct({ deposits: Rate, transfers: Rate })

export const matchRate = (totals: ReadonlyArray<Total>): typeof MatchRate.Type => {
  const rate = (side: "deposits" | "transfers"): Rate => ({
    matched: totals.reduce((sum, total) => sum + total[side].matched.count, 0),
    of: totals.reduce((sum, total) => sum + total[side].in.count - total[side].setAside.count, 0)
  })
  return { deposits: rate("deposits"), transfers: rate("transfers") }
}

/** Discrepancies whose earliest entry is at least `from` and less than `to` ms old; null is without end. */
export class Age extends Schema.Opaque<Age>()(
  Schema.Struct({
    /** At least so old, ms. */
    from: Schema.Int.annotateKey({ description: "At least so old, ms." }),
    /** And less than so old, ms; null: without end. */
    to: Schema.NullOr(Schema.Int).annotateKey({ description: "And less than so old, ms; null: without end." }),
    outcomes: Schema.Int,
    /** Entries that no pair settles. */
    entries: Schema.Int.annotateKey({ description: "Entries that no pair settles." })
  }).annotate({ identifier: "OpenAge" })
) {}

const HOUR = 3_600_000
const bounds = [0, HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR, 168 * HOUR]

/** Collects the ages of discrepancies as they come. */
export interface Ages {
  readonly add: (outcome: Outcome.Outcome) => void
  /** Returns how old they were at `asOf`, Unix ms. */
  readonly ages: (asOf: number) => ReadonlyArray<Age>
}

export const ageing = (): Ages => {
  // Two plain arrays of numbers: a long run may have very many discrepancies.
  const since: Array<number> = []
  const entries: Array<number> = []
  return {
    add: (outcome) => {
      if (outcome.outcome !== "discrepancy") return
      since.push(Outcome.earliest(outcome))
      entries.push(Buckets.openEntries(outcome))
    },
    ages: (asOf) => {
      const ages = bounds.map((from, index) => ({ from, to: bounds[index + 1] ?? null, outcomes: 0, entries: 0 }))
      since.forEach((time, place) => {
        const bucket = ages.findLast(({ from }) => from <= asOf - time) ?? ages[0]
        if (bucket === undefined) return
        bucket.outcomes++
        bucket.entries += entries[place] ?? 0
      })
      return ages
    }
  }
}
