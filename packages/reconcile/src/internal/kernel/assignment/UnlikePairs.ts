/**
 * Decides which pairs of unlike amounts are stated. A smaller difference is no evidence. So a pair is stated only
 * - when it is forced;
 * - when it has no residual where one is expected, and the rules for equal amounts state it among all pairs without one;
 * - when time decides it among all pairs, whatever their residuals;
 * - or when its residual is noise, and that of no rival is.
 *
 * Every stated pair is part of every best assignment (the most pairs, the least total residual, the least total lag), so no
 * two stated pairs contradict each other.
 */
import type * as ByTime from "../ByTime.ts"
import { i32, indicesWhere, pick, take, u8 } from "../Column.ts"
import * as Bipartite from "./Bipartite.ts"
import * as Decisive from "./Decisive.ts"
import * as SparseAssignment from "./SparseAssignment.ts"

/** The numbers of the reasons for which a pair is stated; 0 means that it is not stated. The pair is forced. */
export const forced = 1
/** No other pairing without residuals has as many pairs. */
export const equal = 2
/** Time decides for the pair among those without a residual, and against all candidates. */
export const equalAndTime = 3
/** Its residual is noise, and that of no rival is. */
export const noise = 4
/** Time decides for the pair among all pairs. */
export const time = 5

export interface Input {
  readonly deposits: number
  readonly transfers: number
  readonly edges: {
    readonly deposit: Int32Array
    readonly transfer: Int32Array
    /** The sizes of the residuals; safe integers where it is a `Float64Array`. */
    readonly residual: ReadonlyArray<bigint> | Float64Array
    readonly lag: Float64Array
    /** For each edge, 1 if it has no residual and that is evidence against edges that have one. */
    readonly isExpected: Uint8Array
    /** For each edge, 1 if the policy takes its residual for noise. */
    readonly isNoise: Uint8Array
  }
  /** The rules by which time decides; without them it decides nothing. */
  readonly time: ByTime.Rules | undefined
}

export interface Result {
  /** For each deposit, its edge in a best assignment, or -1. */
  readonly chosen: Int32Array
  /** For each edge, the number of the reason for which it is stated. */
  readonly decision: Uint8Array
  /** The graph of the edges. */
  readonly graph: Bipartite.Graph
}

/** The rules for equal amounts, applied to edges whose residuals are ignored. */
interface Rules {
  readonly isForced: (edge: number) => boolean
  readonly isByTime: (edge: number) => boolean
}

type Solve = (
  edges: { readonly deposit: Int32Array; readonly transfer: Int32Array },
  lags: Float64Array
) => () => SparseAssignment.Result

const rulesOf = (
  graph: Bipartite.Graph,
  lags: Float64Array,
  time: ByTime.Rules | undefined,
  solve: () => SparseAssignment.Result
): Rules => {
  let known: SparseAssignment.Result | undefined
  const solved = (): SparseAssignment.Result => known ??= solve()
  return {
    isForced: (edge) => u8(solved().everyMaximum, edge) === 1,
    isByTime: (edge) =>
      time !== undefined && Decisive.nearest(graph, lags, time, edge) !== undefined &&
      u8(solved().everyOptimum, edge) === 1
  }
}

export const solve = ({ deposits, edges, time: rules, transfers }: Input): Result => {
  const { deposit, isExpected, isNoise, lag, residual, transfer } = edges
  const graph = Bipartite.make(deposits, transfers, deposit, transfer)
  const isZero = Uint8Array.from(deposit, (_, edge) => (Number(residual[edge]) === 0 ? 1 : 0))
  const zeros = indicesWhere(isZero, 1)
  const best = SparseAssignment.solve({
    deposits,
    transfers,
    edges: { deposit, transfer, primary: residual, secondary: rules === undefined ? new Float64Array(lag.length) : lag }
  })
  const isUniform = zeros.length === deposit.length
  const byTime: Solve = (edges, lags) => () =>
    isUniform
      ? best
      : SparseAssignment.solve({
        deposits,
        transfers,
        edges: { ...edges, primary: lags, secondary: new Float64Array(lags.length) }
      })

  const amongAll = rulesOf(graph, lag, rules, byTime({ deposit, transfer }, lag))
  const amongZeros = (): Rules => {
    const [lefts, rights, lags] = [pick(deposit, zeros), pick(transfer, zeros), take(lag, zeros)]
    const places = new Int32Array(deposit.length).fill(-1)
    zeros.forEach((edge, place) => (places[edge] = place))
    const own = Bipartite.make(deposits, transfers, lefts, rights)
    const { isByTime, isForced } = rulesOf(own, lags, rules, byTime({ deposit: lefts, transfer: rights }, lags))
    return {
      isForced: (edge) => isForced(i32(places, edge)),
      isByTime: (edge) =>
        rules !== undefined && Decisive.nearest(graph, lag, rules, edge) !== undefined && isByTime(i32(places, edge))
    }
  }
  let known: Rules | undefined
  const ofZeros = (): Rules => known ??= isUniform ? amongAll : amongZeros()

  const isOnlyNoise = (edge: number): boolean => {
    let isOnly = u8(isNoise, edge) === 1
    if (!isOnly) return false
    Decisive.eachRival(graph, edge, (rival) => {
      isOnly = u8(isNoise, rival) === 0 && (residual[rival] ?? 0) > (residual[edge] ?? 0)
      return isOnly
    })
    return isOnly
  }
  const decisionOf = (edge: number): number => {
    if (u8(best.everyMaximum, edge) === 1) return forced
    if (u8(best.everyOptimum, edge) === 0) return 0
    if (u8(isExpected, edge) === 1) {
      if (ofZeros().isForced(edge)) return equal
      if (ofZeros().isByTime(edge)) return equalAndTime
    }
    if (isOnlyNoise(edge)) return noise
    return amongAll.isByTime(edge) ? time : 0
  }
  const decision = new Uint8Array(deposit.length)
  for (const edge of best.chosen) if (edge >= 0) decision[edge] = decisionOf(edge)
  return { chosen: best.chosen, decision, graph }
}
