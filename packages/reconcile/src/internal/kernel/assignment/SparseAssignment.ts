/**
 * Assigns over any sparse set of candidates: it finds the most pairs, then the least total primary cost, then the least
 * total secondary cost, all exact. It also tells which pairs are in every optimum, and which are in every maximum matching.
 *
 * A maximum matching splits the graph into parts (Dulmage and Mendelsohn). In each part every maximum matching matches all
 * entries of one side, and no maximum matching uses an edge between parts. So the number of pairs needs no cost of its own.
 */
import { i32, u8 } from "../Column.ts"
import * as Bipartite from "./Bipartite.ts"
import { exchanges } from "./Exchanges.ts"
import { leastCost } from "./LeastCost.ts"
import { decompose, maximumMatching, part } from "./MaximumMatching.ts"
import * as Prices from "./Prices.ts"

export { components } from "./Components.ts"

/** Columns of equal length. A pair has at most one edge. */
interface Edges {
  readonly deposit: Int32Array
  readonly transfer: Int32Array
  /** At least 0; safe integers where it is a `Float64Array`. */
  readonly primary: ReadonlyArray<bigint> | Float64Array
  /** Safe integers, at least 0. */
  readonly secondary: Float64Array
}

export interface Input {
  /** The number of entries on each side. */
  readonly deposits: number
  readonly transfers: number
  readonly edges: Edges
}

export interface Result {
  /** For each deposit, its edge in an optimum, or -1. */
  readonly chosen: Int32Array
  /** For each edge, 1 if every optimum has it. */
  readonly everyOptimum: Uint8Array
  /** For each edge, 1 if every maximum matching has it, whatever the costs. */
  readonly everyMaximum: Uint8Array
  /** For each entry, 1 if it has different partners in different optima, or is matched in one and free in another. */
  readonly wavering: { readonly deposits: Uint8Array; readonly transfers: Uint8Array }
}

export const solve = ({ deposits, edges, transfers }: Input): Result => {
  const whole = Bipartite.make(deposits, transfers, edges.deposit, edges.transfer)
  const parts = decompose(whole, maximumMatching(whole))
  const graph = Bipartite.within(whole, parts)
  const required = parts.map((own, vertex) => {
    const byTransfers = own === part.depositSurplus
    return byTransfers === (vertex >= deposits) ? 1 : 0
  })
  const prices = Prices.make({
    vertices: graph.vertices,
    deposit: graph.deposit,
    transfer: graph.transfer,
    primary: edges.primary,
    secondary: edges.secondary
  })
  const perfect = parts.map((own) => own === part.core ? 1 : 0)
  const mate = leastCost(graph, required, perfect, prices)

  const amongOptima = exchanges({ graph, required, mate, isUsable: prices.isTight, isReleasable: prices.isZero })
  const amongMaxima = exchanges({ graph, required, mate, isUsable: () => true, isReleasable: () => true })
  const isFixed = (components: Int32Array, edge: number): boolean =>
    i32(components, i32(graph.deposit, edge)) !== i32(components, i32(graph.transfer, edge))

  const everyOptimum = new Uint8Array(edges.deposit.length)
  const everyMaximum = new Uint8Array(edges.deposit.length)
  const wavering = new Uint8Array(graph.vertices)
  const hub = i32(amongOptima, graph.vertices)
  for (let vertex = 0; vertex < graph.vertices; vertex++) {
    const edge = i32(mate, vertex)
    if (edge < 0) {
      if (i32(amongOptima, vertex) === hub) wavering[vertex] = 1
    } else {
      if (isFixed(amongOptima, edge)) everyOptimum[edge] = 1
      if (isFixed(amongMaxima, edge)) everyMaximum[edge] = 1
      wavering[vertex] = 1 - u8(everyOptimum, edge)
    }
  }
  return {
    chosen: mate.subarray(0, deposits),
    everyOptimum,
    everyMaximum,
    wavering: { deposits: wavering.subarray(0, deposits), transfers: wavering.subarray(deposits) }
  }
}
