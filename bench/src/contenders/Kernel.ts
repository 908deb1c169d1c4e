import * as SparseAssignment from "../../../packages/reconcile/src/internal/kernel/assignment/SparseAssignment.ts"
import * as ExactClass from "../../../packages/reconcile/src/internal/kernel/equal/ExactClass.ts"
import type { Contender } from "../Contender.ts"
import * as Random from "../Random.ts"

const times = (random: () => number, size: number, span: number): Float64Array =>
  Float64Array.from({ length: size }, () => Math.floor(random() * span)).toSorted()

/** 100,000 deposits and as many transfers of one amount, all in each other's window. */
export const exactClass: Contender = {
  prepare: () => {
    const random = Random.make(1)
    const input = {
      deposits: times(random, 100_000, 3_600_000),
      transfers: times(random, 100_000, 3_600_000),
      before: 3_600_000,
      after: 3_600_000,
      ratio: 2,
      rivals: 5
    }
    return { run: () => ExactClass.solve(input) }
  }
}

/** 10,000 deposits and as many transfers of unlike amounts with 400,000 candidate pairs, in one component. */
export const sparseAssignment: Contender = {
  prepare: () => {
    const random = Random.make(1)
    const [entries, degree] = [10_000, 40]
    const [lefts, rights] = [times(random, entries, 1e9), times(random, entries, 1e9)]
    const deposit: Array<number> = []
    const transfer: Array<number> = []
    for (let left = 0; left < entries; left++) {
      const first = Math.max(0, Math.min(entries - degree, left - degree / 2))
      for (let right = first; right < first + degree; right++) {
        deposit.push(left)
        transfer.push(right)
      }
    }
    const gap = (edge: number): number =>
      Math.abs((rights[transfer[edge] ?? 0] ?? 0) - (lefts[deposit[edge] ?? 0] ?? 0))
    const edges = {
      deposit: Int32Array.from(deposit),
      transfer: Int32Array.from(transfer),
      primary: Float64Array.from(deposit, (_, edge) => gap(edge)),
      secondary: Float64Array.from(deposit, () => Math.floor(random() * 3_600_000))
    }
    return { run: () => SparseAssignment.solve({ deposits: entries, transfers: entries, edges }) }
  }
}
