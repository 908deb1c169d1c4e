/**
 * Judges which sets are evidence of a group, and how much of its candidates a target could take.
 *
 * A set is evidence if hardly any set of its size or smaller would come to the target by accident. The more candidates it
 * leaves out, the fewer such sets are allowed. Round amounts are also weighed among themselves: a set of round ones says
 * little if most candidates are round, however odd the rest are.
 */
import * as Chance from "../../kernel/sums/Chance.ts"
import type { Interval } from "../../kernel/sums/CoveringSets.ts"

/** The largest expected number of accidental sets with which a set is still stated. */
const LIMIT = 1 / 100

/** The share of a target that could take all its candidates. Other shares are parts of this number. */
export const WHOLE = 1_000_000

type Accepts = (count: number) => ReadonlyArray<Interval>

interface Range {
  readonly low: number
  readonly high: number
}

/** Returns the intervals as doubles, and converts each list once. */
const rangesOf = (accepts: Accepts): (count: number) => ReadonlyArray<Range> => {
  let before: ReadonlyArray<Interval> | undefined
  let ranges: ReadonlyArray<Range> = []
  return (count) => {
    const intervals = accepts(count)
    if (intervals !== before) {
      ranges = intervals.map(({ high, low }) => ({
        low: Number(low),
        high: high === undefined ? Number.POSITIVE_INFINITY : Number(high)
      }))
    }
    before = intervals
    return ranges
  }
}

/**
 * Returns the limit on accidental sets for a set that leaves out many candidates. Every candidate stands for another target
 * that could be hit.
 */
const limitOf = ({ candidates }: Chance.Chance): number => LIMIT / Math.max(1, candidates)

/** Returns the largest size, up to `most`, at which a set is evidence; less than two if there is none. */
const largest = (
  chance: Chance.Chance,
  ranges: (count: number) => ReadonlyArray<Range>,
  most: number,
  limit = limitOf(chance)
): number => {
  let expected = 0
  for (let size = 2; size <= most; size++) {
    expected += chance.ofSize(size, ranges(size))
    if (expected > limit) return size - 1
  }
  return most
}

export interface GroupChance {
  /**
   * Returns the largest size, up to `most`, at which a set is evidence whatever it leaves out; less than two if there is none.
   */
  readonly largest: (most: number) => number
  /** Returns the smallest number of members that can be enough. */
  readonly fewest: () => number
  /** Whether a set of the given units is evidence. */
  readonly isEvidence: (members: Chance.Amounts) => boolean
}

/**
 * Makes the judgements. `units` are the amounts of candidates that are small enough, ascending. A set that leaves out at most `rivals` of
 * them is weighed as if nothing else competed with it.
 */
export const make = (units: Chance.Amounts, accepts: Accepts, rivals: number): GroupChance => {
  const ranges = rangesOf(accepts)
  const chance = Chance.make(units)
  const multiples = (grid: bigint): Chance.Amounts => {
    if (!(units instanceof Float64Array)) return units.filter((unit) => unit % grid === 0n)
    const step = Number(grid)
    return units.filter((unit) => unit % step === 0)
  }
  /** Returns one, and the round numbers that divide all members. */
  const gridsOf = (members: Chance.Amounts): ReadonlyArray<bigint> => {
    const grids: Array<bigint> = []
    const divisor = Chance.divisor(members)
    for (let power = 1n; power <= divisor && divisor % power === 0n; power *= 10n) {
      grids.push(power)
      if (divisor % (5n * power) === 0n) grids.push(5n * power)
    }
    return grids
  }
  return {
    largest: (most) => largest(chance, ranges, most),
    fewest: () => {
      let size = 2
      while (size <= units.length && chance.fewest(ranges(size)[0]?.low ?? 0) > size) size++
      return size
    },
    isEvidence: (members) => {
      const isNear = units.length - members.length <= rivals
      return gridsOf(members).every((grid) => {
        const among = Chance.make(multiples(grid))
        const limit = isNear ? LIMIT : limitOf(among)
        return largest(among, ranges, members.length, limit) >= members.length
      })
    }
  }
}

/** Returns how much of its candidates a target of that amount could take, from 0 to `WHOLE`. */
export const share = (amount: bigint, candidates: bigint): number =>
  candidates <= amount ? WHOLE : Number(amount * BigInt(WHOLE) / candidates)
