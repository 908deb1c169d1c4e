import { assert, describe, it } from "@effect/vitest"
import * as CoveringSets from "../../src/internal/kernel/sums/CoveringSets.ts"
import * as Groups from "../../src/internal/kernel/sums/Groups.ts"
import * as Shortfall from "../../src/internal/kernel/sums/Shortfall.ts"
import { forSeeds, type Random } from "./Random.ts"

interface Instance {
  readonly targets: ReadonlyArray<Groups.Target>
  readonly propose: Groups.Propose
}

/** Entries of two sides in which each may be a target of some of the other. */
const instance = (next: Random): Instance => {
  const count = 2 + next(10)
  const amounts = Array.from({ length: count }, () => 1 + next(12))
  const side = amounts.map(() => next(2))
  const targets = amounts.flatMap((_, entry) =>
    next(3) === 0 ? [] : [{
      entry,
      candidates: Int32Array.from(amounts.keys()).filter((other) => side[other] !== side[entry] && next(5) > 0)
    }]
  )
  return {
    targets,
    propose: (target, candidates) => {
      const sum = BigInt(amounts[target]!)
      const { verdict } = CoveringSets.explain({
        amounts: Float64Array.from(candidates, (entry) => amounts[entry]!),
        times: Float64Array.from(candidates),
        accepts: () => [{ low: sum, high: sum }],
        maxSize: 4,
        maxRun: 8,
        budget: 10_000
      })
      return verdict.kind === "only" ? verdict.members.map((position) => candidates[position]!) : undefined
    }
  }
}

const listOf = (groups: ReadonlyArray<Groups.Group>) =>
  groups.map(({ members, target }) => ({ target, members: Array.from(members) }))

const byTarget = (groups: ReadonlyArray<Groups.Group>) => listOf(groups).toSorted((a, b) => a.target - b.target)

describe("groups that share entries", () => {
  const of = (target: number, ...members: ReadonlyArray<number>) => ({ target, members: Int32Array.from(members) })
  const fixed = (...groups: ReadonlyArray<Groups.Group>) =>
    Groups.decide(
      groups.map(({ members, target }) => ({ entry: target, candidates: members })),
      (target, candidates) => {
        const group = groups.find((group) => group.target === target)
        return group?.members.length === candidates.length ? group.members : undefined
      }
    )

  it("stand when they share none", () => {
    const { contested, standing } = fixed(of(0, 10, 11), of(1, 12, 13))
    assert.deepStrictEqual(listOf(standing).map(({ target }) => target), [0, 1])
    assert.deepStrictEqual(contested, [])
  })

  it("fall together, also along a chain, and leave others standing", () => {
    const { contested, standing } = fixed(of(0, 10, 11), of(1, 11, 12), of(2, 12, 13), of(3, 14, 15))
    assert.deepStrictEqual(listOf(contested).map(({ target }) => target), [0, 1, 2])
    assert.deepStrictEqual(listOf(standing), [{ target: 3, members: [14, 15] }])
  })

  it("contest each other when the target of one is a member of the other", () => {
    const { contested, standing } = fixed(of(0, 10, 11), of(10, 0, 1))
    assert.deepStrictEqual(standing, [])
    assert.strictEqual(contested.length, 2)
  })

  it("are asked again when a standing group took what made them ambiguous", () => {
    const targets = [{ entry: 0, candidates: Int32Array.of(10, 11) }, {
      entry: 1,
      candidates: Int32Array.of(11, 12, 13)
    }]
    const { standing } = Groups.decide(targets, (_, candidates) => candidates.length === 2 ? candidates : undefined)
    assert.deepStrictEqual(listOf(standing), [{ target: 0, members: [10, 11] }, { target: 1, members: [12, 13] }])
  })

  it("do not stand later on entries that were contested before", () => {
    const targets = [
      { entry: 0, candidates: Int32Array.of(10, 11) },
      { entry: 1, candidates: Int32Array.of(11, 12) },
      { entry: 2, candidates: Int32Array.of(20, 21) },
      { entry: 3, candidates: Int32Array.of(12, 13, 20) }
    ]
    const { contested, standing } = Groups.decide(
      targets,
      (_, candidates) => candidates.length === 2 ? candidates : undefined
    )
    assert.deepStrictEqual(listOf(standing).map(({ target }) => target), [2])
    assert.deepStrictEqual(listOf(contested).map(({ target }) => target), [0, 1, 3])
  })

  it("are not proposed again once they were contested", () => {
    const asked: Array<number> = []
    const targets = [
      { entry: 0, candidates: Int32Array.of(10, 11) },
      { entry: 1, candidates: Int32Array.of(11, 12, 20) },
      { entry: 2, candidates: Int32Array.of(20, 21) }
    ]
    const { contested } = Groups.decide(targets, (target, candidates) => {
      asked.push(target)
      return candidates.subarray(0, 2)
    })
    assert.deepStrictEqual(asked, [0, 1, 2])
    assert.deepStrictEqual(listOf(contested).map(({ target }) => target), [0, 1])
  })

  it("are decided alike in any order of the targets, with each entry in one group", () =>
    forSeeds(3000, (next) => {
      const { propose, targets } = instance(next)
      const proposed: Array<Groups.Group> = []
      const decision = Groups.decide(targets, (target, candidates) => {
        const members = propose(target, candidates)
        if (members !== undefined) proposed.push({ target, members })
        return members
      })
      const shuffled = targets.map((target) => [next(1000), target] as const).toSorted(([a], [b]) => a - b)
      const again = Groups.decide(shuffled.map(([, target]) => target), propose)
      assert.deepStrictEqual(byTarget(again.standing), byTarget(decision.standing))
      assert.deepStrictEqual(byTarget(again.contested), byTarget(decision.contested))
      assert.deepStrictEqual(listOf(decision.standing), byTarget(decision.standing))

      for (const group of decision.standing) {
        const own = new Set([group.target, ...group.members])
        const rivals = proposed.filter(({ members, target }) => [target, ...members].some((entry) => own.has(entry)))
        assert.strictEqual(rivals.length, 1)
      }
      for (const group of decision.contested) {
        const own = new Set([group.target, ...group.members])
        const rivals = proposed.filter(({ members, target }) => [target, ...members].some((entry) => own.has(entry)))
        assert.isAbove(rivals.length, 1)
      }
      const taken = new Set(decision.standing.flatMap(({ members, target }) => [target, ...members]))
      const contested = new Set(decision.contested.map(({ target }) => target))
      for (const { candidates, entry } of targets) {
        if (taken.has(entry) || contested.has(entry)) continue
        assert.isUndefined(propose(entry, candidates.filter((other) => !taken.has(other))))
      }
    }))
})

describe("parts that fall short", () => {
  const find = (amounts: ReadonlyArray<bigint>, shared: ReadonlyArray<number>, least: (count: number) => bigint) => {
    const found = Shortfall.find({ amounts, shared: Uint8Array.from(shared), least })
    return found === undefined ? undefined : { members: Array.from(found.members), sum: found.sum }
  }

  it("are all candidates that are smaller than the target", () => {
    const expected = { members: [0, 2], sum: 70n }
    assert.deepStrictEqual(find([40n, 120n, 30n], [0, 1, 0], () => 100n), expected)
    assert.deepStrictEqual(find([100n, 30n], [0, 0], () => 100n), { members: [1], sum: 30n })
    const doubles = { amounts: Float64Array.of(40, 120, 30), shared: new Uint8Array(3), least: () => 100n }
    assert.strictEqual(Shortfall.find(doubles)?.sum, 70n)
  })

  it("are none when one of them may belong elsewhere, or they do not fall short, or there is none", () => {
    assert.isUndefined(find([40n, 30n], [0, 1], () => 100n))
    assert.isUndefined(find([40n, 60n], [0, 0], () => 100n))
    assert.isUndefined(find([100n, 120n], [0, 0], () => 100n))
    assert.isUndefined(find([], [], () => 100n))
  })

  it("are measured by what so many members should come to, exactly", () => {
    const least = (count: number) => 100n - 10n * BigInt(count - 1)
    assert.deepStrictEqual(find([40n, 49n], [0, 0], least), { members: [0, 1], sum: 89n })
    assert.isUndefined(find([40n, 50n], [0, 0], least))
    const huge = 10n ** 127n
    assert.deepStrictEqual(find([huge, huge + 1n], [0, 0], () => 2n * huge + 2n)?.sum, 2n * huge + 1n)
    assert.isUndefined(find([huge, huge + 1n], [0, 0], () => 2n * huge + 1n))
  })
})
