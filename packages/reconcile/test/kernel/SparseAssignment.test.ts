import { assert, describe, it } from "@effect/vitest"
import * as SparseAssignment from "../../src/internal/kernel/assignment/SparseAssignment.ts"
import * as BruteForce from "./BruteForce.ts"
import { forSeeds, type Random, random } from "./Random.ts"

/** Beyond any double, so that the columns must be bigints. */
const huge = 10n ** 40n

interface Instance {
  readonly input: SparseAssignment.Input
  readonly edges: ReadonlyArray<BruteForce.Edge>
}

/**
 * Dense and sparse, with costs from so few values that ties abound: in doubles, in small bigints, in bigints far apart and
 * in huge bigints close together.
 */
const instance = (next: Random): Instance => {
  const deposits = next(7)
  const transfers = next(7)
  const density = 1 + next(10)
  const kind = next(4)
  const values = 1 + next(4)
  const seconds = 1 + next(3)
  const scale = kind === 2 ? huge : 1n
  const offset = kind === 3 ? huge : 0n
  const edges: Array<BruteForce.Edge> = []
  for (let deposit = 0; deposit < deposits; deposit++) {
    for (let transfer = 0; transfer < transfers; transfer++) {
      if (next(10) >= density) continue
      edges.push({ deposit, transfer, cost: [offset + BigInt(next(values)) * scale, BigInt(next(seconds))] })
    }
  }
  const primary = edges.map((edge) => edge.cost[0])
  return {
    edges,
    input: {
      deposits,
      transfers,
      edges: {
        deposit: Int32Array.from(edges, (edge) => edge.deposit),
        transfer: Int32Array.from(edges, (edge) => edge.transfer),
        primary: kind === 0 ? Float64Array.from(primary, Number) : primary,
        secondary: Float64Array.from(edges, (edge) => Number(edge.cost[1]))
      }
    }
  }
}

const matchingOf = (result: SparseAssignment.Result): ReadonlyArray<number> =>
  Array.from(result.chosen).filter((edge) => edge >= 0)

/** The partner (or -1) of a vertex in each matching, without repetition. */
const partners = (
  { edges }: Instance,
  matchings: ReadonlyArray<ReadonlyArray<number>>,
  side: "deposit" | "transfer",
  index: number
): ReadonlySet<number> =>
  new Set(matchings.map((matching) => matching.find((edge) => edges[edge]![side] === index) ?? -1))

describe("SparseAssignment against every matching", () => {
  it("finds most pairs, then least primary, then least secondary cost", () =>
    forSeeds(2000, (next) => {
      const { edges, input } = instance(next)
      const verdict = BruteForce.judge(input.deposits, edges)
      const result = SparseAssignment.solve(input)
      const matching = matchingOf(result)
      result.chosen.forEach((edge, deposit) => {
        if (edge >= 0) assert.strictEqual(edges[edge]!.deposit, deposit)
      })
      assert.strictEqual(new Set(matching.map((edge) => edges[edge]!.transfer)).size, matching.length)
      assert.strictEqual(matching.length, verdict.size)
      assert.deepStrictEqual(BruteForce.costOf(edges, matching), verdict.cost)
    }))

  it("marks the edges of every optimum and of every maximum matching", () =>
    forSeeds(2000, (next) => {
      const { edges, input } = instance(next)
      const verdict = BruteForce.judge(input.deposits, edges)
      const result = SparseAssignment.solve(input)
      const expected = (matchings: ReadonlyArray<ReadonlyArray<number>>) =>
        edges.map((_, edge) => BruteForce.inEach(matchings, edge) ? 1 : 0)
      assert.deepStrictEqual(Array.from(result.everyOptimum), expected(verdict.optima))
      assert.deepStrictEqual(Array.from(result.everyMaximum), expected(verdict.maxima))
    }))

  it("marks as wavering whatever fares differently in different optima", () =>
    forSeeds(2000, (next) => {
      const given = instance(next)
      const { optima } = BruteForce.judge(given.input.deposits, given.edges)
      const { wavering } = SparseAssignment.solve(given.input)
      wavering.deposits.forEach((flag, index) =>
        assert.strictEqual(flag, partners(given, optima, "deposit", index).size > 1 ? 1 : 0)
      )
      wavering.transfers.forEach((flag, index) =>
        assert.strictEqual(flag, partners(given, optima, "transfer", index).size > 1 ? 1 : 0)
      )
    }))

  it("numbers the connected components by their first deposit", () =>
    forSeeds(1000, (next) => {
      const { input: { deposits, edges, transfers } } = instance(next)
      const found = SparseAssignment.components(deposits, transfers, edges.deposit, edges.transfer)
      const label = Array.from({ length: deposits + transfers }, (_, vertex) => vertex)
      for (let round = 0; round < label.length; round++) {
        edges.deposit.forEach((deposit, edge) => {
          const transfer = deposits + edges.transfer[edge]!
          const least = Math.min(label[deposit]!, label[transfer]!)
          label[deposit] = least
          label[transfer] = least
        })
      }
      const firsts = [...new Set(Array.from(edges.deposit, (deposit) => label[deposit]!))].toSorted((a, b) => a - b)
      assert.strictEqual(found.count, firsts.length)
      const numbers = (count: number, offset: number) =>
        Array.from({ length: count }, (_, index) => firsts.indexOf(label[offset + index]!))
      assert.deepStrictEqual(Array.from(found.ofDeposit), numbers(deposits, 0))
      assert.deepStrictEqual(Array.from(found.ofTransfer), numbers(transfers, deposits))
    }))
})

describe("SparseAssignment with large costs", () => {
  it("stays exact where a double would lose the difference", () => {
    const solve = (primary: ReadonlyArray<bigint> | Float64Array, secondary: ReadonlyArray<number>) =>
      Array.from(
        SparseAssignment.solve({
          deposits: 2,
          transfers: 2,
          edges: {
            deposit: Int32Array.of(0, 0, 1, 1),
            transfer: Int32Array.of(0, 1, 0, 1),
            primary,
            secondary: Float64Array.from(secondary)
          }
        }).chosen
      )
    const max = Number.MAX_SAFE_INTEGER
    assert.deepStrictEqual(solve(Float64Array.of(max, max, max - 1, max), [0, 0, 0, 0]), [1, 2])
    assert.deepStrictEqual(solve(Float64Array.of(max, max - 1, max, max), [0, 0, 0, 0]), [1, 2])
    assert.deepStrictEqual(solve([huge + 1n, huge, huge, huge], [max, max, max, max]), [1, 2])
    assert.deepStrictEqual(solve([huge, huge, huge, huge], [max - 1, max, max, max]), [0, 3])
    assert.deepStrictEqual(solve([huge, huge, huge + 1n, huge], [max, 0, 0, max]), [0, 3])
  })
})

/**
 * Checks what can be checked without another solver: a matching of the expected size that no free transfer improves.
 */
const checkAtScale = (input: SparseAssignment.Input, expected: number) => {
  const result = SparseAssignment.solve(input)
  const { deposit, primary, secondary, transfer } = input.edges
  const deposits = new Set<number>()
  const transfers = new Set<number>()
  for (const edge of matchingOf(result)) {
    deposits.add(deposit[edge]!)
    transfers.add(transfer[edge]!)
  }
  assert.strictEqual(deposits.size, expected)
  assert.strictEqual(transfers.size, expected)
  for (let edge = 0; edge < deposit.length; edge++) {
    const current = result.chosen[deposit[edge]!]!
    if (current < 0 || transfers.has(transfer[edge]!)) continue
    const saving = Number(primary[current]!) - Number(primary[edge]!)
    const cheaper = saving > 0 || (saving === 0 && secondary[edge]! < secondary[current]!)
    if (cheaper) assert.fail(`edge ${edge} is cheaper than ${current} and its transfer is free`)
  }
  return result
}

/** Each deposit has candidates among the transfers near its own position, the one at its position among them. */
const banded = (next: Random, entries: number, degree: number, cost: number): SparseAssignment.Input => {
  const deposit: Array<number> = []
  const transfer: Array<number> = []
  for (let entry = 0; entry < entries; entry++) {
    for (let step = 0; step < degree; step++) {
      deposit.push(entry)
      transfer.push((entry + step) % entries)
    }
  }
  return {
    deposits: entries,
    transfers: entries,
    edges: {
      deposit: Int32Array.from(deposit),
      transfer: Int32Array.from(transfer),
      primary: Float64Array.from(deposit, () => next(cost)),
      secondary: Float64Array.from(deposit, () => next(3_600_000))
    }
  }
}

describe("SparseAssignment at scale", () => {
  it("solves 20,000 entries with 400,000 edges", () => {
    checkAtScale(banded(random(1), 10_000, 40, 1000), 10_000)
  })

  it("solves a complete graph of 700 against 700", () => {
    checkAtScale(banded(random(2), 700, 700, 100_000), 700)
  })

  it("solves a chain of 100,000 entries, in which one search may pass them all", () => {
    const result = checkAtScale(banded(random(3), 50_000, 2, 1), 50_000)
    assert.strictEqual(result.everyOptimum.reduce((sum, flag) => sum + flag, 0), 50_000)
  })

  it("solves 300,000 isolated pairs", () => {
    const pairs = 300_000
    const result = SparseAssignment.solve({
      deposits: pairs,
      transfers: pairs,
      edges: {
        deposit: Int32Array.from({ length: pairs }, (_, index) => index),
        transfer: Int32Array.from({ length: pairs }, (_, index) => pairs - 1 - index),
        primary: new Float64Array(pairs),
        secondary: new Float64Array(pairs)
      }
    })
    assert.strictEqual(result.everyMaximum.reduce((sum, flag) => sum + flag, 0), pairs)
    assert.isFalse(result.wavering.deposits.includes(1))
  })
})
