/** Which pairs of a component of unlike amounts are stated, and what remains ambiguous: as in the tier of `Matching`. */
import type * as Policy from "../../Policy.ts"
import { f64, i32, indicesWhere, pick, u8 } from "../kernel/Column.ts"
import * as SparseAssignment from "../kernel/SparseAssignment.ts"
import * as UnlikePairs from "../kernel/UnlikePairs.ts"
import { bucket } from "../matching/Column.ts"
import type { Component, Edges } from "./Candidates.ts"
import * as Pairs from "./Pairs.ts"

type Solvable = Component & { readonly edges: Edges }

/** Residuals as doubles where every sum of them stays exact, else as integers of any size. */
const exact = (residuals: Float64Array, members: number): ReadonlyArray<bigint> | Float64Array => {
  let most = 0
  for (let edge = 0; edge < residuals.length; edge++) most = Math.max(most, f64(residuals, edge))
  return most <= Number.MAX_SAFE_INTEGER / (2 * members + 2) ? residuals : Array.from(residuals, BigInt)
}

/** The candidates that are left when entries are closed, in connected parts. */
const remain = (
  pairs: Pairs.Pairs,
  { deposits, edges, transfers }: Solvable,
  closed: Uint8Array,
  paired: Uint8Array
) => {
  const isOpen = new Uint8Array(edges.deposit.length)
  for (let edge = 0; edge < isOpen.length; edge++) {
    const isClosed = u8(closed, i32(edges.deposit, edge)) + u8(closed, deposits.length + i32(edges.transfer, edge)) > 0
    isOpen[edge] = isClosed ? 0 : 1
  }
  const left = indicesWhere(isOpen, 1)
  const { count, ofDeposit, ofTransfer } = SparseAssignment.components(
    deposits.length,
    transfers.length,
    pick(edges.deposit, left),
    pick(edges.transfer, left)
  )
  const [lefts, rights] = [bucket(ofDeposit, count, () => true), bucket(ofTransfer, count, () => true)]
  for (let part = 0; part < count; part++) {
    let matched = 0
    for (const place of lefts.of(part)) matched += u8(paired, place)
    Pairs.leave(pairs, {
      code: "ambiguous",
      deposits: pick(deposits, lefts.of(part)),
      transfers: pick(transfers, rights.of(part)),
      matched
    })
  }
}

/** Decides a component with more than one candidate pair. */
const decide = (
  pairs: Pairs.Pairs,
  component: Solvable,
  ambiguity: Policy.Resolved["ambiguity"],
  noise: number
): void => {
  const { deposits, edges, transfers } = component
  const size = edges.deposit.length
  const [residuals, lags] = [new Float64Array(size), new Float64Array(size)]
  const isNoise = new Uint8Array(size)
  for (let edge = 0; edge < size; edge++) {
    const [deposit, transfer] = [
      i32(deposits, i32(edges.deposit, edge)),
      i32(transfers, i32(edges.transfer, edge))
    ]
    residuals[edge] = Math.abs(f64(pairs.transfers.amount, transfer) - f64(pairs.deposits.amount, deposit))
    isNoise[edge] = f64(residuals, edge) < noise ? 1 : 0
    lags[edge] = Math.abs(f64(pairs.transfers.at, transfer) - f64(pairs.deposits.at, deposit))
  }
  const { chosen, decision } = UnlikePairs.solve({
    deposits: deposits.length,
    transfers: transfers.length,
    edges: {
      ...edges,
      residual: exact(residuals, deposits.length + transfers.length),
      lag: lags,
      isExpected: new Uint8Array(size),
      isNoise
    },
    time: ambiguity
  })
  const decisionOf = (edge: number): number => {
    const reason = u8(decision, edge)
    if (reason === 0) return ambiguity.mode === "assign" ? Pairs.assigned : 0
    if (reason === UnlikePairs.forced) return Pairs.forced
    return reason === UnlikePairs.noise ? Pairs.amount : Pairs.time
  }

  const closed = new Uint8Array(deposits.length + transfers.length)
  const paired = new Uint8Array(deposits.length)
  for (let place = 0; place < deposits.length; place++) {
    const edge = i32(chosen, place)
    if (edge < 0) continue
    const other = i32(edges.transfer, edge)
    const decidedBy = decisionOf(edge)
    if (decidedBy === 0) {
      paired[place] = 1
      continue
    }
    Pairs.state(pairs, i32(deposits, place), i32(transfers, other), decidedBy)
    closed[place] = 1
    closed[deposits.length + other] = 1
  }
  if (ambiguity.mode === "report") remain(pairs, component, closed, paired)
}

/** `noise`: the size below which a residual is, in whole units. */
export const state = (
  pairs: Pairs.Pairs,
  component: Solvable,
  ambiguity: Policy.Resolved["ambiguity"],
  noise: number
): void => {
  const { deposits, edges, transfers } = component
  if (edges.deposit.length === 1) Pairs.state(pairs, i32(deposits, 0), i32(transfers, 0), Pairs.forced)
  else decide(pairs, component, ambiguity, noise)
}
