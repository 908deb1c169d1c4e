import { assert, describe, it } from "@effect/vitest"
import * as ExactClass from "../../src/internal/kernel/equal/ExactClass.ts"
import * as BruteForce from "./BruteForce.ts"
import { forSeeds, type Random, random } from "./Random.ts"

const times = (next: Random, count: number, span: number): Float64Array =>
  Float64Array.from({ length: count }, () => 1000 + next(span)).toSorted()

/** Windows of every kind: around zero, one-sided, of one instant, and with a bound below zero. */
const instance = (next: Random): ExactClass.Input => {
  const span = 1 + next(next(2) === 0 ? 8 : 40)
  const before = next(13) - 5
  return {
    deposits: times(next, next(7), span),
    transfers: times(next, next(7), span),
    before,
    after: -before + next(next(2) === 0 ? 6 : 25),
    ratio: 1 + next(5) / 2,
    rivals: next(7)
  }
}

const lagOf = (input: ExactClass.Input, deposit: number, transfer: number): number =>
  input.transfers[transfer]! - input.deposits[deposit]!

const isCandidate = (input: ExactClass.Input, deposit: number, transfer: number): boolean =>
  -input.before <= lagOf(input, deposit, transfer) && lagOf(input, deposit, transfer) <= input.after

const edgesOf = (input: ExactClass.Input): ReadonlyArray<BruteForce.Edge> =>
  [...input.deposits.keys()].flatMap((deposit) =>
    [...input.transfers.keys()].filter((transfer) => isCandidate(input, deposit, transfer)).map((transfer) => ({
      deposit,
      transfer,
      cost: [BigInt(Math.abs(lagOf(input, deposit, transfer))), 0n] as const
    }))
  )

const pairsOf = (partner: Int32Array): ReadonlyArray<readonly [number, number]> =>
  [...partner.entries()].filter(([, transfer]) => transfer >= 0)

const solved = (input: ExactClass.Input) => {
  const edges = edgesOf(input)
  const verdict = BruteForce.judge(input.deposits.length, edges)
  const edge = (deposit: number, transfer: number): number =>
    edges.findIndex((edge) => edge.deposit === deposit && edge.transfer === transfer)
  return { edges, verdict, edge, result: ExactClass.solve(input) }
}

/** The other candidates of either entry, nearest first. */
const rivalsOf = (input: ExactClass.Input, edges: ReadonlyArray<BruteForce.Edge>, pair: BruteForce.Edge) =>
  edges.filter((edge) => edge !== pair && (edge.deposit === pair.deposit || edge.transfer === pair.transfer))
    .map((edge) =>
      edge.deposit === pair.deposit
        ? { side: 0, index: edge.transfer, lag: Math.abs(lagOf(input, edge.deposit, edge.transfer)) }
        : { side: 1, index: edge.deposit, lag: Math.abs(lagOf(input, edge.deposit, edge.transfer)) }
    ).toSorted((a, b) => a.lag - b.lag)

/** Connected components by spreading a label until nothing changes. */
const componentsOf = (edges: ReadonlyArray<BruteForce.Edge>) => {
  let groups = edges.map((edge) => ({ deposits: new Set([edge.deposit]), transfers: new Set([edge.transfer]) }))
  for (const edge of edges) {
    const touched = groups.filter((group) => group.deposits.has(edge.deposit) || group.transfers.has(edge.transfer))
    groups = groups.filter((group) => !touched.includes(group))
    groups.push({
      deposits: new Set(touched.flatMap((group) => Array.from(group.deposits))),
      transfers: new Set(touched.flatMap((group) => Array.from(group.transfers)))
    })
  }
  const ascending = (members: ReadonlySet<number>) => Array.from(members).toSorted((a, b) => a - b)
  return groups.map((group) => ({ deposits: ascending(group.deposits), transfers: ascending(group.transfers) }))
    .toSorted((a, b) => a.deposits[0]! - b.deposits[0]!)
}

describe("ExactClass against every matching", () => {
  it("finds an optimum, uncrossed", () =>
    forSeeds(4000, (next) => {
      const { edge, edges, result, verdict } = solved(instance(next))
      const pairs = pairsOf(result.partner)
      const matching = pairs.map(([deposit, transfer]) => edge(deposit, transfer))
      assert.notInclude(matching, -1)
      assert.strictEqual(matching.length, verdict.size)
      assert.deepStrictEqual(BruteForce.costOf(edges, matching), verdict.cost)
      pairs.slice(1).forEach(([, transfer], index) => assert.isAbove(transfer, pairs[index]![1]))
    }))

  it("states as forced exactly what every maximum matching contains", () =>
    forSeeds(4000, (next) => {
      const { edges, result, verdict } = solved(instance(next))
      edges.forEach(({ deposit, transfer }, index) =>
        assert.strictEqual(
          result.stated[deposit] === transfer && result.decidedBy[deposit] === 1,
          BruteForce.inEach(verdict.maxima, index)
        )
      )
    }))

  it("states as decisive exactly what every optimum contains and whose rivals are few and far", () =>
    forSeeds(8000, (next) => {
      const input = instance(next)
      const { edges, result, verdict } = solved(input)
      edges.forEach((edge, index) => {
        const rivals = rivalsOf(input, edges, edge)
        const lag = Math.abs(lagOf(input, edge.deposit, edge.transfer))
        const decisive = BruteForce.inEach(verdict.optima, index) && !BruteForce.inEach(verdict.maxima, index) &&
          rivals.length <= input.rivals && rivals.every((rival) => rival.lag > input.ratio * lag)
        const stated = result.stated[edge.deposit] === edge.transfer && result.decidedBy[edge.deposit] === 2
        assert.strictEqual(stated, decisive, `pair ${edge.deposit}-${edge.transfer}`)
        if (!decisive) return
        const named = rivals.find((rival) =>
          rival.index === result.rival[edge.deposit] && rival.side === result.rivalSide[edge.deposit]
        )
        assert.strictEqual(named?.lag, rivals[0]?.lag)
        if (rivals.length === 0) assert.strictEqual(result.rival[edge.deposit], -1)
      })
    }))

  it("regroups what is not stated by the candidates that remain", () =>
    forSeeds(4000, (next) => {
      const { edges, result, verdict } = solved(instance(next))
      const transfers = new Set(result.stated)
      const open = edges.filter((edge) => result.stated[edge.deposit] === -1 && !transfers.has(edge.transfer))
      assert.deepStrictEqual(
        result.components.map((component) => ({
          deposits: [...component.deposits],
          transfers: [...component.transfers]
        })),
        componentsOf(open)
      )
      for (const component of result.components) {
        const inside = open.filter((edge) => component.deposits.includes(edge.deposit))
        const local = inside.map(({ cost, deposit, transfer }) => ({
          deposit: component.deposits.indexOf(deposit),
          transfer,
          cost
        }))
        assert.strictEqual(component.matched, BruteForce.judge(component.deposits.length, local).size)
      }
      const matched = result.components.reduce((sum, component) => sum + component.matched, 0)
      assert.strictEqual(matched + pairsOf(result.stated).length, verdict.size)
    }))

  it("says of entries what it says of them beside others that are out of reach, before and behind them", () =>
    forSeeds(4000, (next) => {
      const near = instance(next)
      const far = { ...near, ...instance(next), after: near.after, before: near.before }
      const later = (column: Float64Array): Float64Array => column.map((time) => time + 500)
      const both = ExactClass.solve({
        ...near,
        deposits: Float64Array.of(...near.deposits, ...later(far.deposits)),
        transfers: Float64Array.of(...near.transfers, ...later(far.transfers))
      })
      const [one, other] = [
        ExactClass.solve(near),
        ExactClass.solve({ ...far, ratio: near.ratio, rivals: near.rivals })
      ]
      const [lefts, rights] = [near.deposits.length, near.transfers.length]
      const behind = (column: Int32Array, by: number): Int32Array =>
        column.map((index) => index < 0 ? index : index + by)
      assert.deepStrictEqual(both.partner, Int32Array.of(...one.partner, ...behind(other.partner, rights)))
      assert.deepStrictEqual(both.stated, Int32Array.of(...one.stated, ...behind(other.stated, rights)))
      assert.deepStrictEqual(both.decidedBy, Uint8Array.of(...one.decidedBy, ...other.decidedBy))
      assert.deepStrictEqual(both.rivalSide, Uint8Array.of(...one.rivalSide, ...other.rivalSide))
      const rivals = other.rival.map((rival, deposit) =>
        rival < 0 ? rival : rival + (other.rivalSide[deposit] === 1 ? lefts : rights)
      )
      assert.deepStrictEqual(both.rival, Int32Array.of(...one.rival, ...rivals))
      assert.deepStrictEqual(
        both.components.map(({ deposits, matched, transfers }) => [[...deposits], [...transfers], matched]),
        [
          ...one.components.map(({ deposits, matched, transfers }) => [[...deposits], [...transfers], matched]),
          ...other.components.map(({ deposits, matched, transfers }) => [
            [...behind(deposits, lefts)],
            [...behind(transfers, rights)],
            matched
          ])
        ]
      )
    }))

  it("gives the mirrored answer when time runs backwards", () =>
    forSeeds(2000, (next) => {
      const input = instance(next)
      const backwards = (column: Float64Array) => column.map((time) => 5000 - time).toReversed()
      const mirrored = ExactClass.solve({
        ...input,
        deposits: backwards(input.transfers),
        transfers: backwards(input.deposits)
      })
      const result = ExactClass.solve(input)
      const last = { deposit: input.deposits.length - 1, transfer: input.transfers.length - 1 }
      assert.deepStrictEqual(
        pairsOf(mirrored.stated).map(([transfer, deposit]) =>
          [last.deposit - deposit, last.transfer - transfer] as const
        )
          .toReversed(),
        pairsOf(result.stated)
      )
    }))
})

describe("ExactClass where two optima tie", () => {
  // 90-77 and 100-101 cost 13 + 1; 90-101 and 100-103 cost 11 + 3. Which transfer stays free is open, so is the near pair.
  const fewer = Float64Array.of(90, 100)
  const more = Float64Array.of(77, 101, 103)
  const settings = { ratio: 1, rivals: 5 }

  it("does not state a near pair that the optimum with later transfers lacks", () => {
    const result = ExactClass.solve({ ...settings, deposits: fewer, transfers: more, before: 13, after: 11 })
    assert.deepStrictEqual(Array.from(result.stated), [-1, -1])
  })

  it("does not state a near pair that the optimum with later deposits lacks", () => {
    const result = ExactClass.solve({ ...settings, deposits: more, transfers: fewer, before: 11, after: 13 })
    assert.deepStrictEqual(Array.from(result.stated), [-1, -1, -1])
  })

  it("states the near pair once the tie is broken", () => {
    const nearer = Float64Array.of(78, 101, 103)
    const result = ExactClass.solve({ ...settings, deposits: fewer, transfers: nearer, before: 13, after: 11 })
    assert.deepStrictEqual(Array.from(result.stated), [-1, 1])
    assert.strictEqual(result.rival[1], 2)
    assert.strictEqual(result.rivalSide[1], 0)
  })
})

describe("ExactClass where two rivals are as near", () => {
  const window = { before: 20, after: 20, ratio: 2, rivals: 5 }
  const rivalOf = (deposits: ReadonlyArray<number>, transfers: ReadonlyArray<number>, deposit: number) => {
    const result = ExactClass.solve({
      ...window,
      deposits: Float64Array.from(deposits),
      transfers: Float64Array.from(transfers)
    })
    assert.strictEqual(result.decidedBy[deposit], 2)
    return [result.rivalSide[deposit], result.rival[deposit]]
  }

  it("names the earlier of two that the deposit could have", () => {
    assert.deepStrictEqual(rivalOf([100], [90, 101, 110], 0), [0, 0])
  })

  it("names the transfer before the deposit", () => {
    // Instead of 100-101 there are 100-119 and 82-101, both 19 apart.
    assert.deepStrictEqual(rivalOf([82, 100, 120], [80, 101, 119], 1), [0, 2])
  })
})

const minute = 60_000

/** Arrivals a random whole number of ms apart, `mean` on average. */
const arrivals = (next: Random, count: number, mean: number): Float64Array => {
  let now = 1.7e12
  return Float64Array.from({ length: count }, () => now += next(2 * mean))
}

/** The number of pairs that first in, first out finds, without any of the kernel's code. */
const greedySize = (input: ExactClass.Input): number => {
  let transfer = 0
  let size = 0
  for (const deposit of input.deposits) {
    while (transfer < input.transfers.length && input.transfers[transfer]! < deposit - input.before) transfer++
    if (transfer < input.transfers.length && input.transfers[transfer]! <= deposit + input.after) {
      transfer++
      size++
    }
  }
  return size
}

const checkAtScale = (input: ExactClass.Input) => {
  const result = ExactClass.solve(input)
  let size = 0
  let last = -1
  let stated = 0
  for (const [deposit, transfer] of result.partner.entries()) {
    if (transfer < 0) continue
    if (transfer <= last || !isCandidate(input, deposit, transfer)) assert.fail(`pair ${deposit}-${transfer}`)
    last = transfer
    size++
  }
  assert.strictEqual(size, greedySize(input))
  for (const [deposit, transfer] of result.stated.entries()) {
    if (transfer < 0) continue
    if (transfer !== result.partner[deposit]) assert.fail(`stated ${deposit}-${transfer}`)
    stated++
  }
  const matched = result.components.reduce((sum, component) => sum + component.matched, 0)
  assert.strictEqual(stated + matched, size)
  return { ...result, size }
}

describe("ExactClass at scale", () => {
  const next = random(1)

  it("solves 100,000 against 100,000 that are all candidates of each other", () => {
    const input = {
      deposits: arrivals(next, 100_000, 500),
      transfers: arrivals(next, 100_000, 500),
      before: 1e9,
      after: 1e9,
      ratio: 2,
      rivals: 5
    }
    const { components, size } = checkAtScale(input)
    assert.strictEqual(size, 100_000)
    assert.strictEqual(components.length, 1)
  })

  it("solves 100,000 against 90,000 with a choice nearly everywhere", () => {
    checkAtScale({
      deposits: arrivals(next, 100_000, 500),
      transfers: arrivals(next, 90_000, 560),
      before: minute,
      after: 60 * minute,
      ratio: 2,
      rivals: 5
    })
  })

  it("solves a million against a million that are rarely candidates of each other", () => {
    const deposits = arrivals(next, 1_000_000, 20 * minute)
    const { size } = checkAtScale({
      deposits,
      transfers: deposits.map((time) => time + next(3 * minute)).toSorted(),
      before: minute,
      after: 10 * minute,
      ratio: 2,
      rivals: 5
    })
    assert.strictEqual(size, 1_000_000)
  })

  it("solves a million deposits of one instant", () => {
    const { components, size } = checkAtScale({
      deposits: new Float64Array(1_000_000).fill(1.7e12),
      transfers: new Float64Array(300_000).fill(1.7e12),
      before: 0,
      after: 0,
      ratio: 1,
      rivals: 5
    })
    assert.strictEqual(size, 300_000)
    assert.strictEqual(components[0]?.deposits.length, 1_000_000)
  })
})
