import { assert, describe, it } from "@effect/vitest"
import * as Chance from "../../src/internal/kernel/sums/Chance.ts"
import * as Sieve from "../../src/internal/kernel/sums/Sieve.ts"
import { forSeeds, type Random } from "./Random.ts"

const exactly = (sum: number) => [{ low: sum, high: sum }]

const subsets = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from(
    { length: 2 ** count },
    (_, chosen) => Array.from({ length: count }, (_, place) => place).filter((place) => ((chosen >> place) & 1) === 1)
  )

const amountsOf = (next: Random, count: number, most: number, grid: number): Float64Array =>
  Float64Array.from({ length: count }, () => grid * (1 + next(most)))

describe("chance", () => {
  it("counts two of three amounts over the sums that they can have", () => {
    const chance = Chance.make(Float64Array.of(100, 200, 301))
    assert.strictEqual(chance.ofSize(2, exactly(1000)), 0)
    assert.strictEqual(chance.ofSize(4, exactly(300)), 0)
    assert.isAtLeast(chance.ofSize(2, exactly(400)), 3 / 202)
    assert.isAtMost(chance.ofSize(2, exactly(400)), 0.02)
  })

  it("takes round amounts for as few sums as they have", () => {
    const fine = Chance.make(Float64Array.of(101, 203, 307, 411)).ofSize(2, exactly(510))
    const round = Chance.make(Float64Array.of(100, 200, 300, 400)).ofSize(2, exactly(500))
    assert.isAbove(round, 50 * fine)
  })

  it("counts every sum that is accepted", () => {
    const { ofSize } = Chance.make(Float64Array.of(1009, 2003, 3011, 4021, 5003))
    assert.approximately(ofSize(2, [{ low: 5000, high: 5009 }]), 10 * ofSize(2, exactly(5000)), 1e-9)
  })

  it("is a number for amounts of any size and number", () => {
    const large = Array.from({ length: 3000 }, (_, index) => 10n ** 127n + BigInt(index))
    const chance = Chance.make(large)
    for (const size of [0, 1, 2, 8, 1500, 2999, 3000, 3001]) {
      const expected = chance.ofSize(size, [{ low: 0, high: Number.POSITIVE_INFINITY }])
      assert.isFalse(Number.isNaN(expected), `size ${size}`)
      assert.isAtLeast(expected, 0)
    }
    assert.strictEqual(Chance.make([]).ofSize(0, exactly(0)), 0)
    assert.strictEqual(Chance.make(Float64Array.of(5, 5, 5)).ofSize(2, exactly(10)), 3)
  })

  it("finds the greatest common divisor, of doubles as of bigints", () => {
    assert.strictEqual(Chance.divisor(Float64Array.of(150, 100, 250)), 50n)
    assert.strictEqual(Chance.divisor([150n * 10n ** 30n, 100n * 10n ** 30n]), 50n * 10n ** 30n)
    assert.strictEqual(Chance.divisor([]), 0n)
  })

  it("knows how many members are needed", () => {
    const { fewest } = Chance.make(Float64Array.of(1, 2, 3, 4))
    assert.deepStrictEqual([fewest(4), fewest(5), fewest(8), fewest(10), fewest(11)], [1, 2, 3, 4, 5])
  })

  it("expects at least about as many sets as random amounts have", () => {
    let [expected, met] = [0, 0]
    forSeeds(400, (next) => {
      const [count, size] = [6 + next(5), 2 + next(3)]
      const grid = 1 + next(50)
      const amounts = amountsOf(next, count, 200, grid)
      const target = amountsOf(next, size, 200, grid).reduce((sum, amount) => sum + amount, 0)
      expected += Chance.make(amounts.toSorted()).ofSize(size, exactly(target))
      met += subsets(count).filter((set) =>
        set.length === size && set.reduce((sum, place) =>
            sum + amounts[place]!, 0) === target
      ).length
    })
    assert.isAtLeast(1.3 * expected, met)
    assert.isAtMost(expected, 4 * met + 40)
  })
})

describe("the sieve", () => {
  const sift = Sieve.make()

  it("rules out no size at which a set covers, and none below the one it names", () => {
    forSeeds(1000, (next, seed) => {
      const count = 2 + next(8)
      const amounts = amountsOf(next, count, next(2) === 0 ? 30 : 100_000, 1)
      const low = Array.from(amounts).filter(() => next(2) === 0).reduce((sum, amount) => sum + amount, next(3))
      const range = { low, high: low + (next(2) === 0 ? 0 : next(20)) }
      const sizes = subsets(count)
        .filter((set) => {
          const sum = set.reduce((total, place) => total + amounts[place]!, 0)
          return set.length >= 2 && sum >= range.low && sum <= range.high &&
            set.every((place) => amounts[place]! < range.high)
        })
        .map((set) => set.length)
      const found = sift(amounts.toSorted(), () => [range], 8, next(3) === 0 ? next(200) : 1_000_000)
      const least = Math.min(...sizes)
      if (found.kind === "none") assert.isAbove(least, 8, `seed ${seed}`)
      else assert.isAtLeast(least, found.size, `seed ${seed}`)
    })
  })
})
