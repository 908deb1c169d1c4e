import { assert, describe, it } from "@effect/vitest"
import * as Addends from "../../src/internal/kernel/sums/Addends.ts"
import * as CoveringSets from "../../src/internal/kernel/sums/CoveringSets.ts"
import * as Order from "../../src/internal/kernel/sums/Order.ts"
import * as Runs from "../../src/internal/kernel/sums/Runs.ts"
import { forSeeds, type Random, random } from "./Random.ts"
import * as Subsets from "./Subsets.ts"

const seam = 2n ** 53n

/** What an amount of small parts is made of, so that sums meet: doubles, both sides of the seam, and far beyond it. */
const scales: ReadonlyArray<(part: bigint) => bigint> = [
  (part) => part,
  (part) => part * 3n,
  (part) => seam / 4n + part,
  (part) => seam - 2n + part,
  (part) => part * seam + 1n,
  (part) => part * 10n ** 64n + part,
  (part) => 10n ** 127n + part,
  (part) => part * 10n ** 127n + 10n ** 20n,
  (part) => part % 2n === 0n ? part : part * 10n ** 30n
]

const columnOf = (amounts: ReadonlyArray<bigint>, asBigints: boolean): CoveringSets.Question["amounts"] =>
  asBigints || amounts.some((amount) => amount >= seam) ? amounts : Float64Array.from(amounts, Number)

/** From few to many equal amounts and times; the target is the sum of some candidates, or near it, or beside it. */
const question = (next: Random, most = 11): CoveringSets.Question => {
  const count = next(most + 1)
  const values = 1 + next(next(2) === 0 ? 4 : 60)
  const scale = scales[next(scales.length)]!
  const amounts = Array.from({ length: count }, () => scale(BigInt(1 + next(values))))
  const span = 1 + next(30)
  const share = 1 + next(10)
  const target = amounts.filter(() => next(10) < share).reduce((sum, amount) => sum + amount, BigInt(next(3) - 1))
  const width = BigInt(next(3) === 0 ? next(6) : 0)
  const fee = BigInt(next(3) === 0 ? next(4) : 0)
  const other = next(4) === 0 ? width + BigInt(1 + next(9)) : undefined
  const unbounded = next(40) === 0
  const fixed: ReadonlyArray<CoveringSets.Interval> = [{ low: target, high: unbounded ? undefined : target + width }]
  return {
    amounts: columnOf(amounts, next(2) === 0),
    times: Float64Array.from({ length: count }, () => next(span)).toSorted(),
    accepts: (members) => {
      if (fee === 0n && other === undefined) return fixed
      const low = target - fee * BigInt(members)
      const first = { low, high: low + width }
      return other === undefined ? [first] : [first, { low: low + other, high: low + other + width }]
    },
    maxSize: 1 + next(9),
    maxRun: 1 + next(14),
    budget: CoveringSets.BUDGET
  }
}

const listOf = (sets: ReadonlyArray<CoveringSets.Members>): ReadonlyArray<Subsets.Set> =>
  sets.map((set) => Array.from(set))

/** That a verdict claims nothing that is not so. */
const checkSound = (
  given: CoveringSets.Question,
  verdict: CoveringSets.Verdict,
  covers = Subsets.covers(given)
): ReadonlyArray<Subsets.Set> => {
  const accepted = Subsets.acceptable(given, covers)
  const isCover = (set: Subsets.Set) => covers.some((cover) => String(cover) === String(set))
  switch (verdict.kind) {
    case "none":
      assert.isFalse(
        covers.some((set) => set.length <= given.maxSize || (set.length <= given.maxRun && Subsets.isRun(set)))
      )
      break
    case "only":
      assert.deepStrictEqual(Array.from(verdict.members), accepted)
      break
    case "ambiguous": {
      assert.isUndefined(accepted)
      const sets = listOf(verdict.sets)
      assert.isTrue(sets.every(isCover))
      assert.strictEqual(new Set(sets.map(String)).size, sets.length)
      assert.isAtLeast(verdict.atLeast, 2)
      assert.isAtMost(verdict.atLeast, covers.length)
      if (!verdict.isSettled) break
      assert.deepStrictEqual(sets, covers.slice(0, sets.length))
      assert.strictEqual(verdict.atLeast, covers.filter((set) => set.length <= sets.at(-1)!.length).length)
      break
    }
    case "exhausted": {
      const sets = listOf(verdict.sets)
      assert.isTrue(sets.every(isCover))
      assert.isTrue(sets.every((set) => set.length >= verdict.size))
    }
  }
  return covers
}

describe("covering sets against every subset", () => {
  it("accepts the only set of its size with none smaller, and tells of the smallest otherwise", () =>
    forSeeds(3000, (next) => {
      const given = question(next)
      const { verdict } = CoveringSets.explain(given)
      const covers = checkSound(given, verdict)
      const fewest = covers.find((set) => set.length <= given.maxSize)
      const ofThatSize = covers.filter((set) => set.length === fewest?.length)
      const accepted = Subsets.acceptable(given, covers)
      if (fewest === undefined) return
      if (accepted !== undefined) assert.strictEqual(verdict.kind, "only")
      else if (verdict.kind !== "ambiguous") assert.fail(`${verdict.kind} instead of ambiguous`)
      else if (ofThatSize.length > 1) {
        const sought = covers.filter((set) => set.length <= given.maxSize)
        assert.isTrue(verdict.isSettled)
        assert.strictEqual(verdict.sets.length, Math.min(3, sought.length))
      } else assert.isTrue(verdict.sets.some((set) => set.length === given.amounts.length))
    }))

  it("settles runs above the largest size by what they leave out", () =>
    forSeeds(3000, (next) => {
      const maxSize = 1 + next(5)
      const given = { ...question(next, 2 * maxSize + 1), maxSize, maxRun: 12 }
      const { verdict } = CoveringSets.explain(given)
      const covers = checkSound(given, verdict)
      assert.notStrictEqual(verdict.kind, "exhausted")
      assert.strictEqual(verdict.kind === "only", Subsets.acceptable(given, covers) !== undefined)
    }))

  it("accepts nothing that it could not settle within the budget", () =>
    forSeeds(3000, (next) => {
      const given = { ...question(next), budget: next(next(2) === 0 ? 10 : 120) }
      const { spent, verdict } = CoveringSets.explain(given)
      assert.isAtMost(spent, given.budget)
      checkSound(given, verdict)
    }))

  it("claims nothing wrong wherever the budget ends", () =>
    forSeeds(60, (next) => {
      const given = question(next, 9)
      const covers = Subsets.covers(given)
      const { spent } = CoveringSets.explain(given)
      for (let budget = 0; budget < Math.min(spent, 600); budget++) {
        checkSound(given, CoveringSets.explain({ ...given, budget }).verdict, covers)
      }
      assert.deepStrictEqual(CoveringSets.explain({ ...given, budget: spent }), CoveringSets.explain(given))
    }))

  it("finds the shortest runs", () =>
    forSeeds(3000, (next) => {
      const given = question(next)
      const addends = Addends.make(given.amounts)
      const runs = Runs.find(addends, Addends.acceptance(addends, given.accepts), given.times, given.maxRun)
      const covers = Subsets.covers(given).filter((set) => Subsets.isRun(set) && set.length <= given.maxRun)
      const shortest = covers.filter((set) => set.length === covers[0]?.length)
      assert.strictEqual(runs.size, shortest[0]?.length ?? 0)
      assert.strictEqual(runs.count, shortest.length)
      const named = Math.min(3, shortest.length)
      assert.deepStrictEqual(listOf(runs.sets).slice(0, named), shortest.slice(0, named))
    }))

  it("says of all candidates together whether they cover", () =>
    forSeeds(1000, (next) => {
      const given = question(next, 6)
      const all = Subsets.covers(given).some((set) => set.length === given.amounts.length)
      const isAllowed = given.amounts.length <= Math.max(given.maxRun, given.maxSize)
      assert.strictEqual(CoveringSets.isSweep(given), all && isAllowed)
    }))
})

/** Per number of members, the number of subsets with the sum `target`: candidate by candidate, without knowing a set. */
const numbersOfSets = (amounts: Float64Array, target: number, largest: number): ReadonlyArray<bigint> => {
  const ways = Array.from({ length: largest + 1 }, () => Array.from({ length: target + 1 }, () => 0n))
  ways[0]![0] = 1n
  for (const amount of amounts) {
    for (let size = largest; size > 0; size--) {
      for (let sum = target; sum >= amount; sum--) ways[size]![sum]! += ways[size - 1]![sum - amount]!
    }
  }
  return ways.map((sums) => sums[target]!)
}

/** A question of exact sums among candidates a second apart. */
const exactly = (amounts: Float64Array, target: number, budget = CoveringSets.BUDGET): CoveringSets.Question => {
  const intervals = [{ low: BigInt(target), high: BigInt(target) }]
  return {
    amounts,
    times: Float64Array.from(amounts.keys(), (index) => 1000 * index),
    accepts: () => intervals,
    maxSize: 8,
    maxRun: 1000,
    budget
  }
}

const expectKind = <Kind extends CoveringSets.Verdict["kind"]>(
  kind: Kind,
  given: CoveringSets.Question
): Extract<CoveringSets.Verdict, { readonly kind: Kind }> => {
  const { verdict } = CoveringSets.explain(given)
  if (!isKind(kind, verdict)) throw new Error(`${verdict.kind} instead of ${kind}`)
  return verdict
}

const isKind = <Kind extends CoveringSets.Verdict["kind"]>(
  kind: Kind,
  verdict: CoveringSets.Verdict
): verdict is Extract<CoveringSets.Verdict, { readonly kind: Kind }> => verdict.kind === kind

describe("covering sets beyond brute force", () => {
  it("counts the sets among many equal amounts without listing them", () =>
    forSeeds(150, (next) => {
      const values = Array.from({ length: 1 + next(4) }, () => 1 + next(40))
      const amounts = Float64Array.from({ length: 2 + next(150) }, () => values[next(values.length)]!)
      const target = next(200)
      const given = { ...exactly(amounts, target), maxRun: 8 }
      const numbers = numbersOfSets(amounts, target, 8)
      const fewest = numbers.findIndex((number, size) => size > 1 && number > 0n)
      if (fewest < 0 || numbers[fewest] === 1n) {
        expectKind(fewest < 0 ? "none" : "only", given)
        return
      }
      const verdict = expectKind("ambiguous", given)
      assert.isTrue(verdict.isSettled)
      const last = verdict.sets.at(-1)!.length
      const number = numbers.slice(2, last + 1).reduce((sum, number) => sum + number, 0n)
      const most = BigInt(Number.MAX_SAFE_INTEGER)
      assert.strictEqual(BigInt(verdict.atLeast), number > most ? most : number)
    }))

  it("names a larger set as the third where two are the smallest", () => {
    const verdict = expectKind("ambiguous", exactly(Float64Array.of(9, 1, 8, 2, 5, 4), 10))
    assert.deepStrictEqual(listOf(verdict.sets), [[0, 1], [2, 3], [1, 4, 5]])
    assert.strictEqual(verdict.atLeast, 3)
  })

  it("names neighbours among a thousand equal amounts", () => {
    const amounts = new Float64Array(1000).fill(100)
    const verdict = expectKind("ambiguous", exactly(amounts, 300))
    assert.strictEqual(verdict.atLeast, 166_167_000)
    assert.deepStrictEqual(listOf(verdict.sets), [[0, 1, 2], [1, 2, 3], [2, 3, 4]])
  })

  it("finds the one set of eight among sixty unlike amounts", () => {
    const next = random(5)
    const amounts = Float64Array.from({ length: 60 }, () => 1 + next(2 ** 31) * 2 ** 12 + next(2 ** 12))
    const members = [3, 4, 11, 26, 27, 40, 55, 59]
    const verdict = expectKind("only", exactly(amounts, members.reduce((sum, member) => sum + amounts[member]!, 0)))
    assert.deepStrictEqual(Array.from(verdict.members), members)
  })

  it("accepts a sweep of all candidates, and one that leaves the last three out", () => {
    const next = random(6)
    const amounts = Float64Array.from({ length: 500 }, () => 2 ** 31 + next(2 ** 31))
    const sum = (members: Float64Array) => members.reduce((sum, amount) => sum + amount, 0)
    const all = exactly(amounts, sum(amounts))
    assert.isTrue(CoveringSets.isSweep(all))
    expectKind("only", all)
    const most = expectKind("only", exactly(amounts, sum(amounts.subarray(0, 497))))
    assert.strictEqual(most.members.length, 497)
    expectKind("none", { ...all, maxRun: 499 })
  })

  it("does not accept a run of half the candidates, because others of its size cannot all be tried", () => {
    const next = random(7)
    const amounts = Float64Array.from({ length: 100 }, () => 1 + next(2 ** 31))
    const verdict = expectKind(
      "exhausted",
      exactly(amounts, amounts.subarray(20, 70).reduce((sum, amount) => sum + amount, 0))
    )
    assert.isAbove(verdict.size, 8)
    assert.deepStrictEqual(listOf(verdict.sets), [Array.from({ length: 50 }, (_, step) => 20 + step)])
  })

  it("knows runs to be several where sets of their size cannot all be tried", () => {
    const amounts = Float64Array.from({ length: 100 }, (_, index) => 1_000_000 + 2 ** (index % 10))
    const verdict = expectKind("ambiguous", exactly(amounts, 50 * 1_000_000 + 5 * 1023))
    assert.strictEqual(verdict.atLeast, 51)
    assert.isFalse(verdict.isSettled)
    assert.deepStrictEqual(listOf(verdict.sets).map((set) => set[0]), [0, 1, 2])
  })

  it("stops at the budget among more candidates than it can tell apart", () => {
    const next = random(8)
    const amounts = Float64Array.from({ length: 5000 }, () => 1 + next(2 ** 31))
    const given = exactly(amounts, 4 * 2 ** 31 - 1, 200_000)
    const { spent, verdict } = CoveringSets.explain(given)
    assert.strictEqual(verdict.kind, "exhausted")
    assert.isAtMost(spent, 200_000)
  })

  it("says that there are at least two when it cannot list them all", () => {
    const amounts = Float64Array.from({ length: 400 }, (_, index) => 1000 + index)
    const intervals = [{ low: 3000n, high: 4000n }]
    const verdict = expectKind("ambiguous", { ...exactly(amounts, 0), accepts: () => intervals })
    assert.isFalse(verdict.isSettled)
    assert.isAtLeast(verdict.atLeast, 10_000)
    assert.strictEqual(verdict.sets.length, 3)
    for (const set of listOf(verdict.sets)) {
      const sum = set.reduce((sum, member) => sum + amounts[member]!, 0)
      assert.isTrue(sum >= 3000 && sum <= 4000)
    }
  })
})

describe("the order of a column", () => {
  it("is that of the values, and of the positions among equals", () =>
    forSeeds(500, (next) => {
      const bound = [4, 2 ** 16, 2 ** 31][next(3)]!
      const column = Float64Array.from(
        { length: next(300) },
        () => next(4) === 0 ? Number.MAX_SAFE_INTEGER - next(3) : next(bound) * 2 ** next(22)
      )
      const expected = Array.from(column.keys()).toSorted((a, b) => column[a]! - column[b]! || a - b)
      assert.deepStrictEqual(Array.from(Order.ascending(column)), expected)
    }))
})
