/**
 * Matches every required vertex at least cost (Jonker and Volgenant). Required vertices are added one by one along a
 * shortest augmenting path, which Dijkstra's algorithm finds over reduced costs. A search ends at the nearest free vertex,
 * so it is short where there is little to choose.
 */
import { i32, u8 } from "../Column.ts"
import { type Graph, opposite } from "./Bipartite.ts"
import * as Heap from "./Heap.ts"
import * as Phases from "./Phases.ts"
import { type Prices } from "./Prices.ts"

/**
 * Returns for each vertex the edge that matches it, or -1. Every edge must join a required vertex to an optional one, and
 * some matching must match every required vertex. `perfect` marks vertices that no edge leaves, and that all such matchings
 * match completely.
 *
 * Afterwards `prices` is an optimal dual: matched edges are tight, and no edge is cheaper than its two ends together.
 * Outside of `perfect` the price of an optional vertex is at most zero, and that of a free vertex is zero.
 */
export const leastCost = (
  graph: Graph,
  required: Uint8Array,
  perfect: Uint8Array,
  prices: Prices
): Int32Array => {
  const { incident, neighbour, start, vertices } = graph
  const mate = new Int32Array(vertices).fill(-1)
  const via = new Int32Array(vertices)
  const seen = new Int32Array(vertices).fill(-1)
  const settled = new Int32Array(vertices).fill(-1)
  const order = new Int32Array(vertices)
  const heap = Heap.make(vertices, prices.nearer)

  const match = (edge: number) => {
    mate[i32(graph.deposit, edge)] = edge
    mate[i32(graph.transfer, edge)] = edge
  }

  /** Sets the price of a required vertex to its cheapest edge, and takes a tight edge to a free vertex if there is one. */
  const startAt = (vertex: number) => {
    const end = i32(start, vertex + 1)
    for (let slot = i32(start, vertex); slot < end; slot++) {
      prices.cap(vertex, i32(incident, slot), slot === i32(start, vertex))
    }
    for (let slot = i32(start, vertex); slot < end; slot++) {
      const edge = i32(incident, slot)
      if (i32(mate, i32(neighbour, slot)) >= 0 || !prices.isTight(edge)) continue
      match(edge)
      return
    }
  }

  const augment = (root: number) => {
    let nearest = -1
    let count = 0
    let vertex = root
    heap.clear()
    prices.begin()
    for (;;) {
      for (let slot = i32(start, vertex); slot < i32(start, vertex + 1); slot++) {
        const far = i32(neighbour, slot)
        if (settled[far] === root || !prices.reach(i32(incident, slot), far, seen[far] !== root)) continue
        seen[far] = root
        via[far] = i32(incident, slot)
        if (nearest >= 0 && !prices.nearer(far, nearest)) continue
        if (i32(mate, far) < 0) nearest = far
        else heap.raise(far)
      }
      const next = heap.pop()
      if (next < 0 || (nearest >= 0 && !prices.nearer(next, nearest))) break
      settled[next] = root
      order[count++] = next
      prices.continueFrom(next)
      vertex = opposite(graph, i32(mate, next), next)
    }

    prices.raise(root, nearest, -1)
    for (let index = 0; index < count; index++) {
      const reached = i32(order, index)
      prices.raise(opposite(graph, i32(mate, reached), reached), nearest, reached)
      prices.lower(reached, nearest, reached)
    }
    for (let far = nearest;;) {
      const edge = i32(via, far)
      const near = opposite(graph, edge, far)
      const freed = i32(mate, near)
      match(edge)
      if (near === root) return
      far = opposite(graph, freed, near)
    }
  }

  for (let vertex = 0; vertex < vertices; vertex++) if (u8(required, vertex) === 1) startAt(vertex)
  if (prices.hasRoom) Phases.extend(graph, required, perfect, prices, mate)
  for (let vertex = 0; vertex < vertices; vertex++) {
    if (u8(required, vertex) === 1 && i32(mate, vertex) < 0) augment(vertex)
  }
  return mate
}
