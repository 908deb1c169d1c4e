/** Numbers about a run as a whole: how many entries were matched, and how old the breaks are. */
import * as Schema from "effect/Schema"
import * as Outcome from "../../Outcome.ts"
import { append, item } from "../engine/ledger/Column.ts"
import * as InRange from "../InRange.ts"
import type { Additive } from "./Additive.ts"
import * as Buckets from "./Buckets.ts"
import type { Total } from "./Totals.ts"

const numbers = {
  /** Outcomes that belong to the range: their first deposit, or without one their first transfer, lies in it. */
  outcomes: Schema.Int.annotateKey({
    description:
      "Outcomes that belong to the range: their first deposit, or without one their first transfer, lies in it."
  }),
  /** Deposits in the range. */
  deposits: Schema.Int.annotateKey({ description: "Deposits in the range." }),
  /** Transfers in the range. */
  transfers: Schema.Int.annotateKey({ description: "Transfers in the range." }),
  /** So many of the outcomes a person accepted; absent where there are none. */
  accepted: Schema.optionalKey(Schema.Int).annotateKey({
    description: "So many of the outcomes a person accepted; absent where there are none."
  })
}

/** The number of outcomes with a code, and of the entries in outcomes with this code. */
export class Count extends Schema.Opaque<Count>()(
  Schema.Struct({
    outcome: Outcome.Kind,
    code: Outcome.Code,
    ...numbers,
    /**
     * Outcomes that belong to another day and hold an entry of the range, and entries outside of the range in either kind of
     * outcome. They count in no number above. Absent where there are none, and in reports of version 1, whose numbers above count
     * them too.
     */
    ofOtherDays: Schema.optionalKey(
      Schema.Struct({
        outcomes: Schema.Int,
        deposits: Schema.Int,
        transfers: Schema.Int,
        accepted: Schema.optionalKey(Schema.Int)
      })
    ).annotateKey({
      description:
        "Outcomes that belong to another day and hold an entry of the range, and entries outside of the range in either " +
        "kind of outcome. They count in no number above. Absent where there are none, and in reports of version 1, whose " +
        "numbers above count them too."
    })
  }).annotate({ identifier: "CodeCount" })
) {}

/** Returns the number of outcomes with the code that the report lists: those of the range, and those of other days. */
export const outcomesListed = ({ ofOtherDays, outcomes }: Count): number => outcomes + (ofOtherDays?.outcomes ?? 0)

type Listed = Pick<Count, "accepted" | "outcomes">

/** Returns the count without the outcomes that a person accepted, of which no figure but that of the outcomes tells. */
export const withoutAccepted = (count: Count): Count => {
  const left = <A extends Listed>({ accepted = 0, ...rest }: A) => ({ ...rest, outcomes: rest.outcomes - accepted })
  const { ofOtherDays, ...ofRange } = count
  return { ...left(ofRange), ...(ofOtherDays === undefined ? {} : { ofOtherDays: left(ofOtherDays) }) }
}

interface Numbers {
  outcomes: number
  deposits: number
  transfers: number
  accepted?: number
}

const none = (): Numbers => ({ outcomes: 0, deposits: 0, transfers: 0 })

const addNumbers = (into: Numbers, { accepted, deposits, outcomes, transfers }: Readonly<Numbers>): void => {
  into.outcomes += outcomes
  into.deposits += deposits
  into.transfers += transfers
  if (accepted !== undefined) into.accepted = (into.accepted ?? 0) + accepted
}

/** Counts the outcomes of each code, and their entries. The codes that occur come in the order of `Outcome.codes`. */
export const counting = (range: InRange.Range): Additive<ReadonlyArray<Count>> => {
  const isInRange = InRange.isInRange(range)
  const isOfRange = InRange.isOfRange(range)
  const byCode = new Map<Outcome.Code, { readonly ofRange: Numbers; readonly ofOtherDays: Numbers }>()
  const numbersOf = (code: Outcome.Code) => {
    const known = byCode.get(code) ?? { ofRange: none(), ofOtherDays: none() }
    byCode.set(code, known)
    return known
  }
  return {
    add: (outcome) => {
      const { ofOtherDays, ofRange } = numbersOf(outcome.code)
      const own = isOfRange(outcome) ? ofRange : ofOtherDays
      own.outcomes++
      if (outcome.accepted !== undefined) own.accepted = (own.accepted ?? 0) + 1
      for (const side of ["deposits", "transfers"] as const) {
        for (const entry of outcome[side]) {
          if (isInRange(entry)) ofRange[side]++
          else ofOtherDays[side]++
        }
      }
    },
    merge: (counts) => {
      for (const { code, ofOtherDays, ...ofRange } of counts) {
        const numbers = numbersOf(code)
        addNumbers(numbers.ofRange, ofRange)
        if (ofOtherDays !== undefined) addNumbers(numbers.ofOtherDays, ofOtherDays)
      }
    },
    sums: () =>
      Outcome.Kind.literals.flatMap((outcome) =>
        Outcome.codes[outcome].flatMap((code) => {
          const known = byCode.get(code)
          if (known === undefined) return []
          const { ofOtherDays, ofRange } = known
          const { deposits, outcomes, transfers } = ofOtherDays
          const isNone = outcomes + deposits + transfers === 0
          return [{ outcome, code, ...ofRange, ...(isNone ? {} : { ofOtherDays: { ...ofOtherDays } }) }]
        })
      )
  }
}

/** The outcomes of deposits to addresses of which nobody says whose they are: those of the range, and those of other days. */
export const Unattributed = Schema.Struct({
  unattributed: Schema.optionalKey(Schema.Int),
  unattributedOfOtherDays: Schema.optionalKey(Schema.Int)
})

/** Counts these outcomes. A number is absent where there are none. */
export const unattributed = (range: InRange.Range): Additive<typeof Unattributed.Type> => {
  const isOfRange = InRange.isOfRange(range)
  let ofRange = 0
  let ofOtherDays = 0
  return {
    add: (outcome) => {
      if (outcome.code !== "coverage-gap" || outcome.missing?.gap?.code !== "unattributed") return
      if (isOfRange(outcome)) ofRange++
      else ofOtherDays++
    },
    merge: ({ unattributed = 0, unattributedOfOtherDays = 0 }) => {
      ofRange += unattributed
      ofOtherDays += unattributedOfOtherDays
    },
    sums: () => ({
      ...(ofRange === 0 ? {} : { unattributed: ofRange }),
      ...(ofOtherDays === 0 ? {} : { unattributedOfOtherDays: ofOtherDays })
    })
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

/** Breaks that nobody accepted, whose earliest entry is at least `from` and less than `to` ms old; a `to` of null is no end. */
export class Age extends Schema.Opaque<Age>()(
  Schema.Struct({
    /** At least so old, ms. */
    from: Schema.Int.annotateKey({ description: "At least so old, ms." }),
    /** And less than so old, ms; null: without end. */
    to: Schema.NullOr(Schema.Int).annotateKey({ description: "And less than so old, ms; null: without end." }),
    /** Breaks that belong to the range. */
    outcomes: Schema.Int.annotateKey({ description: "Breaks that belong to the range." }),
    /** Entries of the range in breaks of this age that no pair settles, also where the break is of another day. */
    entries: Schema.Int.annotateKey({
      description:
        "Entries of the range in breaks of this age that no pair settles, also where the break is of another day."
    })
  }).annotate({ identifier: "OpenAge" })
) {}

const HOUR = 3_600_000
const bounds = [0, HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR, 168 * HOUR]

/** Breaks by the time of their earliest entry, each time once, the first before the others: three columns of one length. */
export const Breaks = Schema.Struct({
  /** Unix ms. */
  at: Schema.Array(Schema.Int),
  /** Breaks that belong to the range. */
  outcomes: Schema.Array(Schema.Int),
  /** Entries of the range in these breaks that no pair settles. */
  entries: Schema.Array(Schema.Int)
})
type Breaks = typeof Breaks.Type

/** Collects the breaks that nobody accepted. */
export const breaks = (range: InRange.Range): Additive<Breaks> => {
  const isInRange = InRange.isInRange(range)
  const isOfRange = InRange.isOfRange(range)
  // These are plain arrays of numbers, because a long run may have very many breaks.
  const at: Array<number> = []
  const outcomes: Array<number> = []
  const entries: Array<number> = []
  return {
    add: (outcome) => {
      if (outcome.outcome !== "discrepancy" || outcome.accepted !== undefined) return
      at.push(Outcome.earliest(outcome))
      outcomes.push(isOfRange(outcome) ? 1 : 0)
      entries.push(Buckets.openEntries(outcome).filter(isInRange).length)
    },
    merge: (breaks) => {
      append(at, breaks.at)
      append(outcomes, breaks.outcomes)
      append(entries, breaks.entries)
    },
    sums: () => {
      const sums = { at: new Array<number>(), outcomes: new Array<number>(), entries: new Array<number>() }
      for (const place of Array.from(at.keys()).toSorted((one, other) => item(at, one) - item(at, other))) {
        if (sums.at.at(-1) !== item(at, place)) {
          sums.at.push(item(at, place))
          sums.outcomes.push(0)
          sums.entries.push(0)
        }
        const last = sums.at.length - 1
        sums.outcomes[last] = item(sums.outcomes, last) + item(outcomes, place)
        sums.entries[last] = item(sums.entries, last) + item(entries, place)
      }
      return sums
    }
  }
}

/** Returns how old breaks were at `asOf`, Unix ms. */
export const ages = ({ at, entries, outcomes }: Breaks, asOf: number): ReadonlyArray<Age> => {
  const ages = bounds.map((from, index) => ({ from, to: bounds[index + 1] ?? null, outcomes: 0, entries: 0 }))
  at.forEach((time, place) => {
    const bucket = ages.findLast(({ from }) => from <= asOf - time) ?? ages[0]
    if (bucket === undefined) return
    bucket.outcomes += item(outcomes, place)
    bucket.entries += item(entries, place)
  })
  return ages
}
