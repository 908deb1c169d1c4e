import { assert, describe, it } from "@effect/vitest"
import * as SparseAssignment from "../../src/internal/kernel/assignment/SparseAssignment.ts"
import * as ExactClass from "../../src/internal/kernel/equal/ExactClass.ts"
import { forSeeds, type Random } from "./Random.ts"

/** Too large for brute force: up to 60 entries a side, in windows that hold from one to all of them. */
const exactClass = (next: Random): ExactClass.Input => {
  const span = 1 + next(600)
  const times = (count: number) => Float64Array.from({ length: count }, () => next(span)).toSorted()
  const before = next(60) - 20
  return {
    deposits: times(next(60)),
    transfers: times(next(60)),
    before,
    after: -before + next(120),
    ratio: 1 + next(3),
    rivals: next(10)
  }
}

/** The candidates one by one, |lag| the primary cost. */
const asAssignment = ({ after, before, deposits, transfers }: ExactClass.Input): SparseAssignment.Input => {
  const deposit: Array<number> = []
  const transfer: Array<number> = []
  const cost: Array<number> = []
  deposits.forEach((from, i) =>
    transfers.forEach((to, j) => {
      if (to - from < -before || to - from > after) return
      deposit.push(i)
      transfer.push(j)
      cost.push(Math.abs(to - from))
    })
  )
  return {
    deposits: deposits.length,
    transfers: transfers.length,
    edges: {
      deposit: Int32Array.from(deposit),
      transfer: Int32Array.from(transfer),
      primary: Float64Array.from(cost),
      secondary: new Float64Array(cost.length)
    }
  }
}

const sparse = (next: Random): SparseAssignment.Input => {
  const deposits = 1 + next(30)
  const transfers = 1 + next(30)
  const density = 1 + next(100)
  const values = next(2) === 0 ? 4 : 1000
  const pairs = Array.from({ length: deposits * transfers }, (_, pair) => pair).filter(() => next(100) < density)
  return {
    deposits,
    transfers,
    edges: {
      deposit: Int32Array.from(pairs, (pair) => Math.floor(pair / transfers)),
      transfer: Int32Array.from(pairs, (pair) => pair % transfers),
      primary: Float64Array.from(pairs, () => next(values)),
      secondary: Float64Array.from(pairs, () => next(3))
    }
  }
}

const chosenEdges = (result: SparseAssignment.Result): ReadonlyArray<number> =>
  Array.from(result.chosen).filter((edge) => edge >= 0)

/**
 * Whether some exchange (an alternating cycle, or a path that frees one entry and matches another of its side) lowers the
 * cost: a negative cycle of the residual graph with one hub a side, looked for by Bellman and Ford's rounds.
 */
const improvable = ({ deposits, edges, transfers }: SparseAssignment.Input, chosen: Int32Array): boolean => {
  const depositHub = deposits + transfers
  const transferHub = depositHub + 1
  const taken = new Set<number>()
  const arcs: Array<readonly [number, number, number]> = []
  edges.deposit.forEach((deposit, edge) => {
    const transfer = deposits + edges.transfer[edge]!
    const cost = Number(edges.primary[edge]!) * 1000 + edges.secondary[edge]!
    if (chosen[deposit] === edge) {
      taken.add(transfer)
      arcs.push([transfer, deposit, -cost], [deposit, depositHub, 0], [transferHub, transfer, 0])
    } else arcs.push([deposit, transfer, cost])
  })
  for (let deposit = 0; deposit < deposits; deposit++) if (chosen[deposit]! < 0) arcs.push([depositHub, deposit, 0])
  for (let transfer = deposits; transfer < depositHub; transfer++) {
    if (!taken.has(transfer)) arcs.push([transfer, transferHub, 0])
  }
  const distance = new Float64Array(transferHub + 1)
  for (let round = 0; round <= transferHub; round++) {
    let changed = false
    for (const [from, to, cost] of arcs) {
      if (distance[from]! + cost >= distance[to]!) continue
      distance[to] = distance[from]! + cost
      changed = true
    }
    if (!changed) return false
  }
  return true
}

describe("the two solvers", () => {
  it("agree on the number of pairs, the least total lag and the forced pairs", () =>
    forSeeds(400, (next) => {
      const input = exactClass(next)
      const general = asAssignment(input)
      const { deposit, primary, transfer } = general.edges
      const expected = SparseAssignment.solve(general)
      const result = ExactClass.solve(input)
      const pairs = Array.from(result.partner.entries()).filter(([, other]) => other >= 0)
      const optimum = chosenEdges(expected)
      assert.strictEqual(pairs.length, optimum.length)
      assert.strictEqual(
        pairs.reduce((sum, [i, j]) => sum + Math.abs(input.transfers[j]! - input.deposits[i]!), 0),
        optimum.reduce((sum, edge) => sum + Number(primary[edge]), 0)
      )
      deposit.forEach((i, edge) => {
        const stated = result.stated[i] === transfer[edge]
        assert.strictEqual(stated && result.decidedBy[i] === 1, expected.everyMaximum[edge] === 1)
        if (stated) assert.strictEqual(expected.everyOptimum[edge], 1)
      })
    }))

  it("agree on the decisive pairs", () =>
    forSeeds(400, (next) => {
      const input = exactClass(next)
      const { edges, ...sides } = asAssignment(input)
      const { deposit, primary, transfer } = edges
      const expected = SparseAssignment.solve({ ...sides, edges })
      const result = ExactClass.solve(input)
      const edgesOf = (ends: Int32Array) => Map.groupBy(ends.keys(), (edge) => ends[edge])
      const byDeposit = edgesOf(deposit)
      const byTransfer = edgesOf(transfer)
      deposit.forEach((i, edge) => {
        const rivals = [...byDeposit.get(i) ?? [], ...byTransfer.get(transfer[edge]) ?? []]
          .filter((other) => other !== edge).map((other) => Number(primary[other]))
        const decisive = expected.everyOptimum[edge] === 1 && expected.everyMaximum[edge] === 0 &&
          rivals.length <= input.rivals && rivals.every((lag) => lag > input.ratio * Number(primary[edge]))
        assert.strictEqual(result.stated[i] === transfer[edge] && result.decidedBy[i] === 2, decisive)
      })
    }))
})

describe("SparseAssignment beyond brute force", () => {
  it("leaves no exchange that lowers the cost", () =>
    forSeeds(400, (next) => {
      const input = sparse(next)
      const { chosen } = SparseAssignment.solve(input)
      assert.isFalse(improvable(input, chosen))
    }))

  it("answers alike in doubles and in bigints", () =>
    forSeeds(400, (next) => {
      const input = sparse(next)
      const primary = Array.from(input.edges.primary, Number).map((cost) => BigInt(cost) * 10n ** 40n)
      const inDoubles = SparseAssignment.solve(input)
      const inBigints = SparseAssignment.solve({ ...input, edges: { ...input.edges, primary } })
      assert.deepStrictEqual(inBigints, inDoubles)
    }))
})
