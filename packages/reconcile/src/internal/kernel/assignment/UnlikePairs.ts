/**
 * Which pairs of unlike amounts are stated. That one amount differs less than another decides nothing, so a pair is stated
 * when it is forced; when it is exactly what was expected and the rules for equal amounts state it among all pairs without
 * residual; when time decides it among all pairs, whatever their residuals; or when its residual alone is noise, if anything is.
 *
 * Every stated pair is part of every best assignment (the most pairs, the least total residual, the least total lag), so that no
 * two of these can contradict each other.
 */
import { i32, indicesWhere, pick, take, u8 } from "../Column.ts"
import * as Bipartite from "./Bipartite.ts"
import * as Decisive from "./Decisive.ts"
import * as SparseAssignment from "./SparseAssignment.ts"

/** Numbers for why a pair is stated; 0 = it is not. */
export const forced = 1
/** No other pairing of entries without residual accounts for as many of them. */
export const equal = 2
/** Time decides among candidates without residual, against all candidates. */
export const equalAndTime = 3
/** Its residual is noise, and that of no rival is. */
export const noise = 4
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
    /** Per edge, 1 = it has no residual, and that is evidence against edges that have one. */
    readonly isExpected: Uint8Array
    /** Per edge, 1 = the policy takes its residual for noise. */
    readonly isNoise: Uint8Array
  }
  /** How time decides; without it, it does not. */
  readonly time: Decisive.Rules | undefined
}

export interface Result {
  /** Per deposit, its edge in a best assignment, or -1. */
  readonly chosen: Int32Array
  /** Per edge, why it is stated. */
  readonly decision: Uint8Array
  /** The graph of the edges. */
  readonly graph: Bipartite.Graph
}

/** What the rules for equal amounts say of edges between which amounts make no difference. */
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
  time: Decisive.Rules | undefined,
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
