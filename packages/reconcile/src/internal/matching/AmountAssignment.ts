/**
 * Pairs of unlike amounts: the most pairs, then the least total residual, then the least total lag. A pair is stated when
 * no other pairing accounts for as many entries, when amounts alone decide it, or when time decides among equal residuals
 * as clearly as it has to between equal amounts.
 */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import * as SparseAssignment from "../kernel/SparseAssignment.ts"
import * as AmountRule from "./AmountRule.ts"
import type { Amounts } from "./Amounts.ts"
import * as CandidateGraph from "./CandidateGraph.ts"
import { at, item } from "./Column.ts"
import * as Ledger from "./Ledger.ts"
import type { Run } from "./Run.ts"

export type Solvable = CandidateGraph.Component & { readonly edges: CandidateGraph.Edges }

export interface Stated {
  readonly deposit: number
  readonly transfer: number
  readonly fit: AmountRule.Fit
  readonly decidedBy: "forced" | "amount" | "time" | "assigned"
  /** The best of the other candidates, if there were any. */
  readonly rival: Outcome.Candidate | undefined
}

interface PassedOver {
  readonly deposit: number
  readonly transfer: number
  /** The side whose entry was left. */
  readonly left: Entry.Side
  /** Time alone preferred the other. */
  readonly isDoubtful: boolean
}

export interface Solution {
  readonly stated: ReadonlyArray<Stated>
  /** Candidates of which one was stated with another entry and the other was left. */
  readonly passedOver: ReadonlyArray<PassedOver>
  /** What remains of the candidates among entries of which something is undecided, in connected parts. */
  readonly undecided: ReadonlyArray<{ readonly part: Solvable; readonly matched: number }>
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** Costs as doubles where every sum of them stays exact, else as they are. */
const column = (costs: ReadonlyArray<bigint>, members: number): ReadonlyArray<bigint> | Float64Array => {
  let most = 0n
  for (const cost of costs) if (cost > most) most = cost
  return most * BigInt(2 * members + 2) <= EXACT ? Float64Array.from(costs, Number) : costs
}

/** What may decide besides amounts: time and the policy's wish to have everything assigned, or nothing. */
export type Deciders = "amounts-and-time" | "amounts"

export const solve = (
  { closure, ledger }: Run,
  amounts: Amounts,
  component: Solvable,
  deciders: Deciders
): Solution => {
  const assign = deciders === "amounts-and-time" && ledger.policy.ambiguity.mode === "assign"
  const { edges } = component
  const size = edges.deposit.length
  const [lefts, rights] = [component.deposits.length, component.transfers.length]
  const pairOf = (edge: number): readonly [number, number] => [
    item(component.deposits, at(edges.deposit, edge)),
    item(component.transfers, at(edges.transfer, edge))
  ]
  const fits: Array<AmountRule.Fit> = []
  const costs: Array<bigint> = []
  const lags = new Float64Array(size)
  const byEntry: Array<Array<number>> = Array.from({ length: lefts + rights }, () => [])
  for (let edge = 0; edge < size; edge++) {
    const [deposit, transfer] = pairOf(edge)
    if (deciders === "amounts") closure.join(deposit, transfer)
    else closure.joinUnlike(deposit, transfer)
    const fit = amounts.fit(deposit, transfer) ??
      AmountRule.nearest(amounts.expected(deposit), amounts.transfer(transfer))
    fits.push(fit)
    costs.push(AmountRule.magnitude(fit.residual))
    lags[edge] = Math.abs(Ledger.lag(ledger, deposit, transfer))
    item(byEntry, at(edges.deposit, edge)).push(edge)
    item(byEntry, lefts + at(edges.transfer, edge)).push(edge)
  }
  const primary = column(costs, lefts + rights)
  const input = { deposits: lefts, transfers: rights, edges: { ...edges, primary, secondary: lags } }
  const result = SparseAssignment.solve(input)

  const rivalsOf = (edge: number): ReadonlyArray<number> =>
    [...item(byEntry, at(edges.deposit, edge)), ...item(byEntry, lefts + at(edges.transfer, edge))]
      .filter((other) => other !== edge)

  let known: Uint8Array | undefined
  /** Whether the pair is in every optimum of amounts, whatever the times. */
  const isByAmount = (edge: number): boolean => {
    const edges = { ...input.edges, secondary: new Float64Array(size) }
    const everyOptimum = known ?? SparseAssignment.solve({ ...input, edges }).everyOptimum
    known = everyOptimum
    return everyOptimum[edge] === 1
  }
  const isByTime = (edge: number): boolean => {
    const equals = rivalsOf(edge).filter((other) => item(costs, other) <= item(costs, edge))
    const { ratio, rivals } = ledger.policy.ambiguity
    return equals.length <= rivals && equals.every((other) => at(lags, other) > ratio * at(lags, edge))
  }
  const decisionOf = (edge: number): Stated["decidedBy"] | undefined => {
    if (result.everyMaximum[edge] === 1) return "forced"
    if (result.everyOptimum[edge] === 1) {
      if (isByAmount(edge)) return "amount"
      if (deciders === "amounts-and-time" && isByTime(edge)) return "time"
    }
    return assign ? "assigned" : undefined
  }
  const rivalOf = (edge: number): Outcome.Candidate | undefined => {
    let best = -1
    for (const other of rivalsOf(edge)) {
      const order = best < 0 ? -1n : item(costs, other) - item(costs, best)
      if (order < 0n || (order === 0n && at(lags, other) < at(lags, best))) best = other
    }
    if (best < 0) return undefined
    const side = at(edges.deposit, best) === at(edges.deposit, edge) ? "transfer" : "deposit"
    const [deposit, transfer] = pairOf(best)
    const { id } = side === "deposit"
      ? item(ledger.deposits.entries, deposit)
      : item(ledger.transfers.entries, transfer)
    const residual = amounts.format(item(fits, best).residual)
    return { side, id, reason: `residual ${residual} instead of ${amounts.format(item(fits, edge).residual)}` }
  }

  const stated: Array<Stated> = []
  const closed = new Uint8Array(lefts + rights)
  /** The pair that closed an entry by time alone, if one did. */
  const byTime = new Map<number, number>()
  const chosen = new Uint8Array(size)
  for (const edge of result.chosen) {
    if (edge < 0) continue
    const decidedBy = decisionOf(edge)
    if (decidedBy === undefined) {
      chosen[edge] = 1
      continue
    }
    const [deposit, transfer] = pairOf(edge)
    stated.push({ deposit, transfer, fit: item(fits, edge), decidedBy, rival: rivalOf(edge) })
    if (decidedBy === "time") byTime.set(at(edges.deposit, edge), edge).set(lefts + at(edges.transfer, edge), edge)
    closed[at(edges.deposit, edge)] = 1
    closed[lefts + at(edges.transfer, edge)] = 1
  }
  const isUndecided = (edge: number): boolean =>
    closed[at(edges.deposit, edge)] === 0 && closed[lefts + at(edges.transfer, edge)] === 0
  const partners = new Map<number, number>()
  for (let edge = 0; edge < size; edge++) if (chosen[edge] === 1) partners.set(...pairOf(edge))
  const undecided = assign ? [] : CandidateGraph.split(ledger, component, isUndecided)
  const passedOver: Array<PassedOver> = []
  for (let edge = 0; edge < size; edge++) {
    const [left, right] = [closed[at(edges.deposit, edge)], closed[lefts + at(edges.transfer, edge)]]
    if (left === right) continue
    const [deposit, transfer] = pairOf(edge)
    const preferred = byTime.get(left === 1 ? at(edges.deposit, edge) : lefts + at(edges.transfer, edge))
    passedOver.push({
      deposit,
      transfer,
      left: left === 1 ? "transfer" : "deposit",
      isDoubtful: preferred !== undefined && item(costs, edge) <= item(costs, preferred)
    })
  }
  return {
    stated,
    passedOver,
    undecided: undecided.map((part) => ({
      part,
      matched: part.deposits.filter((deposit) => partners.has(deposit)).length
    }))
  }
}
