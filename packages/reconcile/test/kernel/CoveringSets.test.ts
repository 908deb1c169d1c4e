import { assert, describe, it } from "@effect/vitest"
import * as CoveringSets from "../../src/internal/kernel/CoveringSets.ts"
import { forSeeds, type Random } from "./Random.ts"
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
  (part) => part * 10n ** 127n + 10n ** 20n
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
    budget: 1_000_000
  }
}

const listOf = (sets: ReadonlyArray<CoveringSets.Members>): ReadonlyArray<Subsets.Set> =>
  sets.map((set) => Array.from(set))

/** That a verdict claims nothing that is not so. */
const checkSound = (given: CoveringSets.Question, verdict: CoveringSets.Verdict): ReadonlyArray<Subsets.Set> => {
  const covers = Subsets.covers(given)
  const accepted = Subsets.acceptable(given, covers)
  const isCover = (set: Subsets.Set) => covers.some((cover) => `${cover}` === `${set}`)
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

  it("says of all candidates together whether they cover", () =>
    forSeeds(1000, (next) => {
      const given = question(next, 6)
      const all = Subsets.covers(given).some((set) => set.length === given.amounts.length)
      const isAllowed = given.amounts.length <= Math.max(given.maxRun, given.maxSize)
      assert.strictEqual(CoveringSets.isSweep(given), all && isAllowed)
    }))
})
