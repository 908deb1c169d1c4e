import { assert, describe, it } from "@effect/vitest"
import { choose } from "../../src/internal/kernel/equal/LeastLag.ts"
import { forSeeds, type Random } from "./Random.ts"

interface Instance {
  readonly required: Float64Array
  readonly optional: Float64Array
  readonly before: number
  readonly after: number
}

const instance = (next: Random): Instance => {
  const span = 1 + next(next(2) === 0 ? 6 : 30)
  const times = (count: number) => Float64Array.from({ length: count }, () => next(span)).toSorted()
  const optional = next(9)
  const before = next(20) - 6
  return {
    required: times(next(optional + 1)),
    optional: times(optional),
    before,
    after: -before + next(30)
  }
}

/** The total |lag| of a choice, first to first; infinite where a pair does not fit the window. */
const costOf = ({ after, before, optional, required }: Instance, chosen: ReadonlyArray<number>): number =>
  chosen.reduce((sum, index, rank) => {
    const lag = optional[index]! - required[rank]!
    return lag < -before || lag > after ? Number.POSITIVE_INFINITY : sum + Math.abs(lag)
  }, 0)

/** All choices of as many optional entries as are required, as ascending indices. */
const choices = ({ optional, required }: Instance): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: 2 ** optional.length }, (_, bits) => [...optional.keys()].filter((index) => bits >> index & 1))
    .filter((chosen) => chosen.length === required.length)

/** How many are chosen among the first 1, 2, 3, … entries. */
const counts = (entries: number, chosen: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from({ length: entries }, (_, last) => chosen.filter((index) => index <= last).length)

describe("LeastLag", () => {
  it("finds the earliest and the latest of all least choices", () =>
    forSeeds(4000, (next) => {
      const given = instance(next)
      const costs = choices(given).map((chosen) => ({ chosen, cost: costOf(given, chosen) }))
      const least = Math.min(...costs.map(({ cost }) => cost))
      if (least === Number.POSITIVE_INFINITY) return
      const { after, before, optional, required } = given
      const optima = costs.filter(({ cost }) => cost === least).map(({ chosen }) => counts(optional.length, chosen))
      const extreme = (pick: (...values: ReadonlyArray<number>) => number) =>
        Array.from(optional, (_, index) => pick(...optima.map((optimum) => optimum[index]!)))
      const found = choose(required, optional, before, after)
      const countsOf = (flags: Uint8Array) =>
        counts(optional.length, [...flags.keys()].filter((index) => flags[index] === 1))
      assert.deepStrictEqual(countsOf(found.earliest), extreme(Math.max))
      assert.deepStrictEqual(countsOf(found.latest), extreme(Math.min))
    }))
})
