/**
 * The dual prices and distances of the assignment. The algorithm sees operations on vertices and edges, and does not know
 * how costs are stored: as two exact columns of doubles where no sum can leave the safe integers, else as one column of
 * bigints.
 *
 * An edge never costs less than the prices of its two ends together. The difference is its reduced cost, and the edge is
 * tight when that is zero. Costs are ordered by primary, then secondary.
 */
import { f64, i32 } from "../Column.ts"

/** The number of times that prices may be moved while all sums stay exact. */
export const MAX_PHASES = 16

export interface Prices {
  /** Whether prices stay exact when the distances of all vertices are added to them, up to `MAX_PHASES` times. */
  readonly hasRoom: boolean
  /** Sets the price of a vertex to the cost of an edge, if that is less or is the `first` one offered. */
  readonly cap: (vertex: number, edge: number, first: boolean) => void
  readonly isTight: (edge: number) => boolean
  readonly isZero: (vertex: number) => boolean
  /** Starts a search at distance 0. */
  readonly begin: () => void
  /** Continues the search from the distance of a vertex. */
  readonly continueFrom: (vertex: number) => void
  /**
   * Adds the reduced cost of an edge, and keeps the sum as the distance of `vertex` if it is less or the `first`.
   * Returns whether it did.
   */
  readonly reach: (edge: number, vertex: number, first: boolean) => boolean
  readonly nearer: (a: number, b: number) => boolean
  /** Raises a price by the distance of `end`, less the distance of `vertex` unless that is -1. */
  readonly raise: (price: number, end: number, vertex: number) => void
  readonly lower: (price: number, end: number, vertex: number) => void
}

export interface Costs {
  readonly vertices: number
  /** The ends of each edge as vertices. */
  readonly deposit: Int32Array
  readonly transfer: Int32Array
  readonly primary: ReadonlyArray<bigint> | Float64Array
  readonly secondary: Float64Array
}

export const make = (costs: Costs): Prices => {
  const primary = Float64Array.from(costs.primary, Number)
  const most = Math.max(bound(costs, primary), bound(costs, costs.secondary))
  return 4 * most < Number.MAX_SAFE_INTEGER
    ? inDoubles(costs, primary, 4 * (MAX_PHASES + 1) * most < Number.MAX_SAFE_INTEGER)
    : inBigints(costs)
}

/**
 * Bounds the prices. A price is the alternating sum of the costs along a path, and a path passes a vertex once: so the sum
 * of each vertex's largest cost bounds it, and four times that sum bounds every number that is computed from prices. A phase
 * moves the price of a vertex that it does not reach by at most twice that sum. Rounding in the sum is far below the slack.
 */
const bound = ({ deposit, transfer, vertices }: Costs, column: Float64Array): number => {
  const largest = new Float64Array(vertices)
  for (let edge = 0; edge < column.length; edge++) {
    const cost = f64(column, edge)
    if (cost > f64(largest, i32(deposit, edge))) largest[i32(deposit, edge)] = cost
    if (cost > f64(largest, i32(transfer, edge))) largest[i32(transfer, edge)] = cost
  }
  return largest.reduce((sum, cost) => sum + cost, 0)
}

const inDoubles = (
  { deposit, secondary, transfer, vertices }: Costs,
  primary: Float64Array,
  hasRoom: boolean
): Prices => {
  const price1 = new Float64Array(vertices)
  const price2 = new Float64Array(vertices)
  const distance1 = new Float64Array(vertices)
  const distance2 = new Float64Array(vertices)
  let base1 = 0
  let base2 = 0
  const change = (price: number, end: number, vertex: number, sign: number) => {
    const less1 = vertex < 0 ? 0 : f64(distance1, vertex)
    const less2 = vertex < 0 ? 0 : f64(distance2, vertex)
    price1[price] = f64(price1, price) + sign * (f64(distance1, end) - less1)
    price2[price] = f64(price2, price) + sign * (f64(distance2, end) - less2)
  }
  return {
    hasRoom,
    cap: (vertex, edge, first) => {
      const cost1 = f64(primary, edge)
      const cost2 = f64(secondary, edge)
      const now1 = f64(price1, vertex)
      if (!first && (cost1 > now1 || (cost1 === now1 && cost2 >= f64(price2, vertex)))) return
      price1[vertex] = cost1
      price2[vertex] = cost2
    },
    isTight: (edge) =>
      f64(primary, edge) === f64(price1, i32(deposit, edge)) + f64(price1, i32(transfer, edge)) &&
      f64(secondary, edge) === f64(price2, i32(deposit, edge)) + f64(price2, i32(transfer, edge)),
    isZero: (vertex) => f64(price1, vertex) === 0 && f64(price2, vertex) === 0,
    begin: () => {
      base1 = 0
      base2 = 0
    },
    continueFrom: (vertex) => {
      base1 = f64(distance1, vertex)
      base2 = f64(distance2, vertex)
    },
    reach: (edge, vertex, first) => {
      const near = i32(deposit, edge)
      const far = i32(transfer, edge)
      const new1 = base1 + f64(primary, edge) - f64(price1, near) - f64(price1, far)
      const now1 = f64(distance1, vertex)
      if (!first && new1 > now1) return false
      const new2 = base2 + f64(secondary, edge) - f64(price2, near) - f64(price2, far)
      if (!first && new1 === now1 && new2 >= f64(distance2, vertex)) return false
      distance1[vertex] = new1
      distance2[vertex] = new2
      return true
    },
    nearer: (a, b) => {
      const a1 = f64(distance1, a)
      const b1 = f64(distance1, b)
      return a1 < b1 || (a1 === b1 && f64(distance2, a) < f64(distance2, b))
    },
    raise: (price, end, vertex) => change(price, end, vertex, 1),
    lower: (price, end, vertex) => change(price, end, vertex, -1)
  }
}

/**
 * Stores each cost as one bigint, primary · radix + secondary. It orders totals as two columns do, because no secondary
 * total reaches the radix.
 */
const inBigints = ({ deposit, primary, secondary, transfer, vertices }: Costs): Prices => {
  const largest = secondary.reduce((most, cost) => Math.max(most, cost), 0)
  const radix = BigInt(largest) * BigInt(vertices) + 1n
  const cost = Array.from(secondary, (second, edge) => BigInt(primary[edge] ?? 0) * radix + BigInt(second))
  const price = Array.from({ length: vertices }, () => 0n)
  const distance = Array.from({ length: vertices }, () => 0n)
  let base = 0n
  const at = (column: ReadonlyArray<bigint>, index: number): bigint => column[index] ?? 0n
  const reduced = (edge: number): bigint =>
    at(cost, edge) - at(price, i32(deposit, edge)) - at(price, i32(transfer, edge))
  const change = (end: number, vertex: number): bigint => at(distance, end) - (vertex < 0 ? 0n : at(distance, vertex))
  return {
    hasRoom: true,
    cap: (vertex, edge, first) => {
      if (first || at(cost, edge) < at(price, vertex)) price[vertex] = at(cost, edge)
    },
    isTight: (edge) => reduced(edge) === 0n,
    isZero: (vertex) => at(price, vertex) === 0n,
    begin: () => {
      base = 0n
    },
    continueFrom: (vertex) => {
      base = at(distance, vertex)
    },
    reach: (edge, vertex, first) => {
      const reached = base + reduced(edge)
      if (!first && reached >= at(distance, vertex)) return false
      distance[vertex] = reached
      return true
    },
    nearer: (a, b) => at(distance, a) < at(distance, b),
    raise: (index, end, vertex) => {
      price[index] = at(price, index) + change(end, vertex)
    },
    lower: (index, end, vertex) => {
      price[index] = at(price, index) - change(end, vertex)
    }
  }
}
